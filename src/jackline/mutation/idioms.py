"""Idioms that say the same, as the language itself says: each is told in one form, so that two do not differ."""

from __future__ import annotations

from jackline.mutation.blocks import TURNS
from jackline.mutation.languages import Language
from jackline.mutation.lexer import NEWLINE, SIGN, Token
from jackline.mutation.rewrite import Rule, rewritten, rules

PYTHON = """
setattr ( $o.. , $s:id , $v.. ) =>> $o . $s:id = $v
getattr ( $o.. , $s:id ) =>> $o . $s:id
super ( $a , $b ) =>> super ( )
dict ( ) =>> { }
list ( ) =>> [ ]
tuple ( ) =>> ( )
dict ( [ ( $k.. , $v.. ) for $b.. ] ) =>> { $k : $v for $b }
dict ( ( $k.. , $v.. ) for $b.. ) =>> { $k : $v for $b }
dict ( $a~ , ** $b~ ) =>> { ** $a , ** $b }
set ( [ $x.. ] ) =>> { $x }
set ( ( $x.. ) ) =>> { $x }
set ( $x.. for $y.. ) =>> { $x for $y }
list ( $x.. for $y.. ) =>> [ $x for $y ]
list ( [ $x.. ] ) =>> [ $x ]
tuple ( [ $x.. ] ) =>> tuple ( $x )
list ( $x~ ) =>> [ * $x ]
tuple ( $x~ ) =>> ( * $x )
[ $x for $x in $y.. ] =>> [ * $y ]
[ * ( * $x.. ) ] =>> [ * $x ]
. keys ( ) : =>> :
not $x~ in $y~ =>> $x not in $y
not $x~ is $y~ =>> $x is not $y
not $x~ == $y~ =>> $x != $y
not $x~ != $y~ =>> $x == $y
NL $f = lambda $a* : $b.. NL =>> NL def $f ( $a ) : NL IN return $b NL OUT
if $c.. : NL IN return True NL OUT return False =>> return $c
if $c.. : NL IN return True NL OUT else : NL IN return False =>> return $c
for $v.. in $i.. : NL IN if not $c.. : NL IN return False NL OUT OUT return True =>> return all ( $c for $v in $i )
for $v.. in $i.. : NL IN if $c.. : NL IN return True NL OUT OUT return False =>> return any ( $c for $v in $i )
for $x in $y.. : NL IN yield $x NL OUT =>> yield from $y NL
isinstance ( $x~ , $a~ ) or isinstance ( $x~ , $b~ ) =>> isinstance ( $x , ( $a , $b ) )
$x~ == $a~ or $x~ == $b~ =>> $x in ( $a , $b )
$x~ != $a~ and $x~ != $b~ =>> $x not in ( $a , $b )
$p:cmp $x~ and $x~ $q:cmp =>> $p $x $q
NL pass NL =>> NL
class $a ( object ) : =>> class $a :
with $a.. : NL IN with $b.. : NL IN =>> with $a , $b : NL IN
raise $x^ ( ) NL =>> raise $x NL
$s:str + str ( $x.. ) =>> $s + $x
str ( $x.. ) + $s:str =>> $x + $s
try : NL IN $b... NL OUT except $e.. : NL IN pass NL OUT =>> with suppress ( $e ) : NL IN $b NL OUT
contextlib . suppress =>> suppress
+ - =>> -
"""

ONE_FORM = """
$x~ == true =>> $x
$x~ == false =>> ! $x
$x~ != true =>> ! $x
$x~ != false =>> $x
! ( $a~ == $b~ ) =>> $a != $b
! ( $a~ === $b~ ) =>> $a !== $b
! ( $a~ != $b~ ) =>> $a == $b
! ( $a~ !== $b~ ) =>> $a === $b
++ =>> += 1
-- =>> -= 1
+ - =>> -
"""

TERNARY = """
if ( $c.. ) { return $a.. ;? } else { return $b.. ;? } =>> return $c ? $a : $b ;
if ( $c.. ) { return $a.. ;? } return $b.. &;} =>> return $c ? $a : $b
if ( $c.. ) { $x~ = $a.. ;? } else { $x~ = $b.. ;? } =>> $x = $c ? $a : $b ;
"""

SCRIPT = """
$p:open $k : $k &,} =>> $p $k
$p:open $s:id : =>> $p $s:id :
$p:open $k : function ( =>> $p $k (
$p:open $k : async function ( =>> $p async $k (
$b:bind $x = require ( $s:str ) . default =>> import $x from $s
$b:bind $x = require ( $s:str ) . $x =>> import { $x } from $s
$b:bind $x = require ( $s:str ) &;, =>> import $x from $s
$b:bind { $x.. } = require ( $s:str ) =>> import { $x } from $s
. default ( =>> (
module . exports = =>> export default
Object . assign ( { } , $a~ ) =>> { ... $a }
Object . assign ( { } , $a~ , $b~ ) =>> { ... $a , ... $b }
Object . assign ( { } , $a~ , { $b* } ) =>> { ... $a , $b }
$x~ . forEach ( function ( $v ) { $b... } ) =>> for ( var $v of $x ) { $b }
$x~ . forEach ( ( $v ) => { $b... } ) =>> for ( var $v of $x ) { $b }
$x~ . forEach ( $v => { $b... } ) =>> for ( var $v of $x ) { $b }
$x~ . indexOf ( $a.. ) === - 1 =>> ! $x . includes ( $a )
$x~ . indexOf ( $a.. ) == - 1 =>> ! $x . includes ( $a )
$x~ . indexOf ( $a.. ) < 0 =>> ! $x . includes ( $a )
. indexOf ( $a.. ) !== - 1 =>> . includes ( $a )
. indexOf ( $a.. ) != - 1 =>> . includes ( $a )
. indexOf ( $a.. ) > - 1 =>> . includes ( $a )
. indexOf ( $a.. ) >= 0 =>> . includes ( $a )
var { $a , $r.. } = $x~ =>> var $a = $x . $a NL var { $r } = $x
var { $a } = $x~ =>> var $a = $x . $a
$a~ && $a~ . $b =>> $a ?. $b
Array . prototype . slice . call ( arguments ) =>> [ ... arguments ]
Array . from ( $x~ ) =>> [ ... $x ]
$p:end [ $s:id ] =>> $p . $s:id
$p:end ! . =>> $p .
$p:end ! &,)];[ =>> $p
return undefined =>> return
$f~ . apply ( null , $a~ ) =>> $f ( ... $a )
void 0 =>> undefined
new Array ( ) =>> [ ]
new Object ( ) =>> { }
Math . pow ( $a~ , $b~ ) =>> $a ** $b
"""

GO = """
for $i := 0 $i < $n.. $i ++ { =>> for $i := range $n {
errors . New ( fmt . Sprintf ( $x.. ) ) =>> fmt . Errorf ( $x )
for _ , $v := range $x.. { if $v == $y.. { return true } } return false =>> return slices . Contains ( $x , $y )
for _ , $v := range $x.. { $o~ = append ( $o~ , $v ) } =>> $o = append ( $o , $x ... )
string ( $x~ . Bytes ( ) ) =>> $x . String ( )
fmt . Sprintf ( $s:str ) =>> $s
strings . Replace ( $a.. , $b.. , $c.. , - 1 ) =>> strings . ReplaceAll ( $a , $b , $c )
time . Now ( ) . Sub ( $x.. ) =>> time . Since ( $x )
ioutil . ReadAll =>> io . ReadAll
ioutil . ReadFile =>> os . ReadFile
ioutil . WriteFile =>> os . WriteFile
ioutil . TempDir =>> os . MkdirTemp
ioutil . TempFile =>> os . CreateTemp
ioutil . Discard =>> io . Discard
ioutil . NopCloser =>> io . NopCloser
"""

RUST = """
try ! ( $x.. ) =>> $x ?
match $x.. { Ok ( $v ) => $v ,? Err ( $e ) => return Err ( $e ) ,? } =>> $x ?
match $x.. { $p.. => true ,? _ => false ,? } =>> matches ! ( $x , $p )
match $x.. { $p.. => $b.. ,? None => { } ,? } =>> if let $p = $x { $b }
match $x.. { $p.. => $b.. ,? _ => { } ,? } =>> if let $p = $x { $b }
match $x.. { $p.. => $b.. ,? _ => ( ) ,? } =>> if let $p = $x { $b }
return $x.. ; } =>> $x }
$p:open $k : $k &,} =>> $p $k
! $x~ . is_empty ( ) =>> $x . len ( ) > 0
. is_empty ( ) =>> . len ( ) == 0
. len ( ) != 0 =>> . len ( ) > 0
| $z | $f^ ( $z ) =>> $f
$s:str . to_string ( ) =>> $s . to_owned ( )
$s:str . into ( ) =>> $s . to_owned ( )
String :: from ( $s:str ) =>> $s . to_owned ( )
. clone ( ) =>>
for $a.. in $x~ . iter ( ) { =>> for $a in & $x {
for $a.. in $x~ . into_iter ( ) { =>> for $a in $x {
:: < $t.. > ( =>> (
"""

JAVA = """
! $x~ . isEmpty ( ) =>> $x . size ( ) > 0
. isEmpty ( ) =>> . size ( ) == 0
. length ( ) == 0 =>> . size ( ) == 0
. length ( ) > 0 =>> . size ( ) > 0
. size ( ) != 0 =>> . size ( ) > 0
catch ( $A.. $e ) { $b... } catch ( $B.. $e ) { $b... } =>> catch ( $A | $B $e ) { $b }
$a~ instanceof $T ) { $T $b = ( $T ) $a~ ; =>> $a instanceof $T $b ) {
$y -> $y . $m ( ) =>> :: $m
$y -> $c^ . $m ( $y ) =>> :: $m
$y -> new $c ( $y ) =>> :: new
$c :: =>> ::
"""

SEMICOLON = Token(SIGN, ";")
TABLES: dict[str, tuple[Rule, ...]] = {
    "python": rules(PYTHON),
    "script": rules(SCRIPT + TERNARY + ONE_FORM),
    "go": rules(GO + ONE_FORM),
    "rust": rules(RUST + ONE_FORM),
    "java": rules(JAVA + TERNARY + ONE_FORM),
    "c": rules(TERNARY + ONE_FORM),
}


WIDE = 8_000
"""Tokens from a change's beginning to its end in which idioms are looked for."""
MARGIN = 150
"""Tokens on both sides of a change in which an idiom of it may begin or end."""


def _window(old: list[Token], new: list[Token]) -> tuple[int, int]:
    """How many tokens at the beginning, and at the end, are the same and far from the change."""
    limit = min(len(old), len(new))
    start = next((at for at in range(limit) if old[at] != new[at]), limit)
    end = next((at for at in range(limit - start) if old[-1 - at] != new[-1 - at]), limit - start)
    return max(start - MARGIN, 0), max(end - MARGIN, 0)


def one_form(old: list[Token], new: list[Token], language: Language) -> tuple[list[Token], list[Token]]:
    """Two streams with their idioms in one form."""
    table = TABLES.get(language.family)
    if table is None:
        return old, new
    for turn in TURNS.get(language.family, ()):
        old, new = turn(old), turn(new)
    start, end = _window(old, new)
    if max(len(old), len(new)) - start - end > WIDE:
        return old, new
    found = []
    for stream in (old, new):
        made = rewritten(stream[start : len(stream) - end], table, language.family)
        lined = language.family == "script"
        made = [NEWLINE if lined and token == SEMICOLON else token for token in made]
        found.append([*stream[:start], *made, *stream[len(stream) - end :]])
    return found[0], found[1]

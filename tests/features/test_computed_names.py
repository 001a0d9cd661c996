"""Names that an inline program puts together are asked about; names that it says, and files that do so, are not."""

from __future__ import annotations

import pytest

from features.test_command_guard import ruled

HIDDEN = r"""
python3 -c "import os; getattr(os, 'sys'+'tem')('rm -rf x')"
python3 -c "import os; f=getattr(os, 'sys'+'tem'); f('touch x')"
python3 -c "import os; f=getattr(os, n); f('touch x')"
python3 -c "__import__('o'+'s').system('touch x')"
python3 -c "import os; vars(os)['system']('touch x')"
python3 -c "import os; os.__dict__['sys'+'tem']('touch x')"
python3 -c "import os; os.__dict__[k]('touch x')"
python3 -c "globals()['__buil'+'tins__'].eval('1')"
python3 -c "import operator,os; operator.attrgetter('sys'+'tem')(os)('touch x')"
python3 -c "import sys; sys.modules['o'+'s'].system('touch x')"
python3 -c "import sys; getattr(sys.modules[a], b)('touch x')"
python3 -c "eval(compile(a+b,'x','exec'))"
python3 -c "import subprocess; getattr(subprocess, 'ru'+'n')(['rm','-rf','x'])"
node -e "require('child_'+'process').execSync('touch x')"
node -e "require('child_process')['exec'+'Sync']('touch x')"
node -e "const c=require('child_process'); c[k]('touch x')"
node -e "globalThis['ev'+'al']('1')"
node -e "globalThis[process.argv[1]]('x')"
node -e "Reflect.get(require('fs'), 'rm'+'Sync')('x')"
node -e "Reflect.apply(f, null, ['x'])"
node -e "import('child_'+'process').then(m=>m.execSync('touch x'))"
node -e "process.mainModule.require('child_'+'process')"
node -e "process.binding('spawn_sync').spawn({})"
node -e "new Function('return '+x)()"
node -e "[].constructor.constructor('return process')()"
ruby -e "Kernel.send('sys'+'tem', 'touch x')"
ruby -e "Object.send(:system, 'rm -rf x')"
ruby -e "Kernel.public_send(m, 'touch x')"
ruby -e "method(n).call('touch x')"
ruby -e "Object.const_get('Fi'+'le').delete('x')"
perl -e '&{"sys"."tem"}("touch x")'
perl -e 'my $f="sys"."tem"; &$f("touch x")'
perl -e '$f="unlink"; main->can($f)->("x")'
php -r '$f="sys"."tem"; $f("touch x");'
php -r 'call_user_func("sys"."tem","touch x");'
lua -e "os['exe'..'cute']('touch x')"
lua -e "_G['o'..'s'].execute('touch x')"
lua -e "load('os.exe'..'cute(1)')()"
""".strip().splitlines()

SAID = r"""
python3 -c "import mod; getattr(mod, 'x')"
python3 -c "import mod; print(getattr(mod, 'version', None))"
python3 -c "import mod; getattr(mod, 'main')()"
python3 -c "import sys; print(sys.modules['json'].__name__)"
python3 -c "import os; print(os.environ['PATHX'])"
python3 -c "import importlib; m=importlib.import_module('pkg.mod'); m.main()"
python3 -c "d={'a':print}; d['a']('x')"
python3 -c "print([getattr(x,'name') for x in []])"
python3 -c "import json,sys; d=json.load(sys.stdin); print(d[sys.argv[1]])"
python3 -c "import mod; print(vars(mod)['x'])"
python3 -c "m=__import__('json'); print(m.dumps({}))"
python3 -c "import torch; print(getattr(torch.version, 'cuda'))"
node -e "console.log(require('./package.json').version)"
node -e "const p=require('./package.json'); console.log(p['version'])"
node -e "const o={a:1}; for (const k in o) console.log(k, o[k])"
node -e "console.log(process.env['HOMEX'])"
node -e "const a=[1,2]; console.log(a[0].toString())"
node -e "const fs=require('fs'); console.log(fs.readFileSync(process.argv[1],'utf8'))"
node -e "console.log(Object.keys(require('./src/x')).map(k=>k+1))"
node -e "const h={a(){return 1}}; console.log(h['a']())"
node -e "import('./src/x.mjs').then(m=>console.log(m.default))"
node -e "console.log(Reflect.ownKeys({a:1}))"
node -e "const {x}=require(require.resolve('./a.json'))"
ruby -e "puts [1,2].send(:size)"
ruby -e "p [1].map(&:to_s)"
ruby -e "puts Object.const_get('String')"
perl -e 'my %h=(a=>1); print $h{a}'
perl -e 'my $f=sub { print "x" }; $f->()'
php -r '$a=["x"=>1]; echo $a["x"];'
php -r '$f=function(){echo 1;}; $f();'
lua -e "local t={a=1}; print(t['a'])"
lua -e "print(_G['print'])"
""".strip().splitlines()


@pytest.mark.parametrize("command", HIDDEN)
def test_a_name_that_is_put_together_is_asked_about(command: str) -> None:
    assert ruled(command).decision == "ask"


@pytest.mark.parametrize("command", SAID)
def test_a_name_that_is_said_passes(command: str) -> None:
    assert ruled(command).decision == "allow"


KEPT = {
    # A call that is not made where it stands, but kept or handed over: whoever makes it later is not followed.
    "in a mapping": "{'a': os.system}['a'](C)",
    "in a list": "[os.system][0](C)",
    "one of several": "f, g = os.system, 1\nf(C)",
    "by a parameter": "def f(x, run=os.system):\n    run(x)\nf(C)",
    "on the way": "if (s := os.system)(C): pass",
    "by name": "threading.Thread(target=os.system, args=(C,)).start()",
    "to a function": "list(map(os.system, [C]))",
    "to a function of its own": "(lambda f: f(C))(os.system)",
    "by a decorator": "@os.system\ndef f(): pass",
    "by its own method": "os.system.__call__(C)",
    "words that are unpacked": "subprocess.run([*'git reset'.split(), '--hard'])",
}
FOLLOWED = {
    "a name that is set to it": "run = subprocess.run\nprint(run(['git', 'status']).stdout)",
    "a type": "def f(p: subprocess.Popen) -> None: pass\nprint(1)",
    "a type that holds another": "x: subprocess.Popen[str] | None = None\nprint(x)",
    "a text": "print(mock.patch('os.system'))",
    "a call": "print(subprocess.run(['git', 'status']).stdout)",
}


def _heredoc(program: str) -> str:
    command = repr("git reset --hard")
    told = program.replace("(C", f"({command}").replace("[C", f"[{command}")
    return f"python3 <<'PY'\nimport os, subprocess, threading\n{told}\nPY"


@pytest.mark.parametrize("how", KEPT)
def test_a_call_that_is_kept_or_handed_over_is_asked_about(how: str) -> None:
    assert ruled(_heredoc(KEPT[how])).decision == "ask"


@pytest.mark.parametrize("how", FOLLOWED)
def test_a_call_that_is_only_named_passes(how: str) -> None:
    assert ruled(_heredoc(FOLLOWED[how])).decision == "allow"

#!/bin/sh
#---
# name: check
# type: event
# events: [PreToolUse]
# tools: [kind:shell]
# block: true
#---
case $(cat) in
  *checked-away*) echo '{"decision":"block","reason":"CHECKED"}' ;;
esac

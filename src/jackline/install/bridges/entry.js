// What every bridge does: start the installed entry of an event, with the event on its stdin, and take its answer.
// As an entry line in a client's configuration: an absent installation is silent, a dead or silent one refuses.
import { spawn } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"

const STORE = ENTRY.store || `${process.env.XDG_STATE_HOME || `${process.env.HOME}/.local/state`}/jackline`
const PYTHON = `${STORE}/bin/python`
const DOOR = `${STORE}/door.py`

function isThere() {
  try {
    accessSync(PYTHON, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// The object that was said, null where it was something else.
function objectOf(text) {
  try {
    const said = JSON.parse(text)
    return said && typeof said === "object" && !Array.isArray(said) ? said : null
  } catch {
    return null
  }
}

const STDIO = { stdio: ["pipe", "pipe", "ignore"] }
const wordsOf = (event) => ["-I", "-S", DOOR, ENTRY.dialect, event, ...(ENTRY.place === "user" ? [] : [ENTRY.place])]
const textOf = (event, payload) => JSON.stringify({ hook_event_name: event, ...payload })
const limitOf = (event) => (ENTRY.limits[event] ?? 15) * 1000

function start(event, payload) {
  return new Promise((resolve) => {
    const given = textOf(event, payload)
    const child = spawn(PYTHON, wordsOf(event), STDIO)
    const timer = setTimeout(() => child.kill("SIGKILL"), limitOf(event))
    let text = ""
    const end = () => {
      clearTimeout(timer)
      resolve(objectOf(text))
    }
    child.on("error", end)
    child.on("close", end)
    child.stdout.setEncoding("utf8").on("data", (more) => (text += more))
    child.stdin.on("error", () => {})
    child.stdin.end(given)
  })
}

const DENIED = { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: ENTRY.denial } }
const GONE = { hookSpecificOutput: { additionalContext: ENTRY.notice } }

// What Jackline answers to an event. Never throws: a fault here refuses a tool call and leaves the rest alone.
async function ask(event, makePayload) {
  if (!isThere()) return event === "SessionStart" && existsSync(DOOR) ? GONE : {}
  let said = null
  try {
    said = await start(event, await makePayload())
  } catch {}
  return said ?? (event === "PreToolUse" && ENTRY.fail !== "open" ? DENIED : {})
}

const contextOf = (said) => said.hookSpecificOutput?.additionalContext ?? ""

// Why a call is refused, "" when it is not. Whatever decision is not known here refuses as well.
function refusal(said) {
  const decided = said.hookSpecificOutput ?? {}
  if (!decided.permissionDecision || decided.permissionDecision === "allow") return ""
  return [decided.permissionDecisionReason || ENTRY.denial, contextOf(said)].filter(Boolean).join("\n")
}

// Put a call's new input in the place of the old one: clients keep the object, and look into it.
function rewrite(input, said) {
  const given = said.hookSpecificOutput?.updatedInput
  if (!given) return
  for (const key of Object.keys(input)) if (!(key in given)) delete input[key]
  Object.assign(input, given)
}

const blocked = (said) => (said.decision === "block" ? said.reason || ENTRY.denial : "")

// Plays a client that has loaded a bridge: node bridge.mjs PLUGIN PLAY; the play is on stdin, what came of it on stdout.
// A step is [hook, input, output] for opencode and [event, fields] for pi; requests to the client are noted.
import { pathToFileURL } from "node:url"

const [plugin, play] = process.argv.slice(2)
let text = ""
for await (const part of process.stdin) text += part
const { steps, sessions = {}, messages = {}, argv = [] } = JSON.parse(text)
process.argv.push(...argv)
const asked = []
const module = await import(pathToFileURL(plugin).href)

async function opencode() {
  const note = (name, answer) => async (given) => {
    asked.push([name, given])
    return answer(given)
  }
  const client = {
    session: {
      get: async ({ path }) => ({ data: sessions[path.id] }),
      message: async ({ path }) => ({ data: messages[path.messageID] }),
      promptAsync: note("prompt", () => ({})),
    },
    tui: { showToast: note("toast", () => ({})) },
  }
  const hooks = await module.Jackline({ client, directory: process.cwd() })
  return async ([name, input, output]) => {
    await hooks[name](input, output)
    return { output }
  }
}

async function pi() {
  const handlers = {}
  module.default({
    on: (name, handler) => (handlers[name] = handler),
    sendUserMessage: (text, options) => asked.push(["prompt", { text, ...options }]),
  })
  const sessionManager = { getSessionId: () => "s-1", getSessionFile: () => "/s/1.jsonl" }
  const context = { sessionManager, cwd: process.cwd(), hasUI: true, ui: { notify: (text) => asked.push(["toast", text]) } }
  return async ([name, event]) => ({ said: await handlers[name](event, context), event })
}

const run = await { opencode, pi }[play]()
const came = []
for (const step of steps) {
  try {
    came.push(await run(step))
  } catch (fault) {
    came.push({ threw: fault.message })
  }
}
process.stdout.write(JSON.stringify({ came, asked }))

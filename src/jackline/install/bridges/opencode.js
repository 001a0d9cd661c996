// opencode and its relatives: their plugin hooks as events.
import { resolve as resolvePath } from "node:path"

// `run` leaves when a session is idle, so there the last text of a turn is its end; elsewhere being idle is.
const LEAVES = ENTRY.leaves && process.argv.includes(ENTRY.leaves)

export const Jackline = async ({ client, directory }) => {
  const parents = new Map() // session → its parent ("" for none) and the kind of agent
  const started = new Set() // sessions that had their first event here
  const created = new Set() // those that began here, too
  const failed = new Set() // sessions whose turn ended by a fault, or by its person
  const talks = new Map() // session → agent and model of its last prompt
  const continued = new Map() // session → the text by which it was kept going
  const ended = new Map() // session → the message at whose end was asked
  const held = new Map() // call → context that goes with its result
  const over = new Set() // calls whose end is known: refused here, or told

  async function parentOf(id) {
    if (!parents.has(id)) {
      const found = await client.session.get({ path: { id } }).catch(() => ({}))
      parents.set(id, { parent: found.data?.parentID ?? "", kind: found.data?.agent ?? "" })
    }
    return parents.get(id)
  }

  // Whose event it is: a sub-agent has a session of its own, and its person's conversation is the outermost.
  async function whose(id) {
    const { parent, kind } = await parentOf(id)
    let root = id
    for (let above = parent; above; above = (await parentOf(above)).parent) root = above
    return { session_id: root, cwd: directory, ...(parent ? { agent_id: id, agent_type: kind } : {}) }
  }

  const tell = (event, id, makeMore = () => {}) => ask(event, async () => ({ ...(await whose(id)), ...makeMore() }))

  function call(input, args, more) {
    const place = typeof args?.workdir === "string" ? { cwd: resolvePath(directory, args.workdir) } : {}
    return { ...place, tool_name: input.tool, tool_input: args, tool_use_id: input.callID, ...more }
  }

  async function begin(id) {
    if (started.has(id)) return {}
    started.add(id)
    const isAgent = (await parentOf(id)).parent !== ""
    return tell(isAgent ? "SubagentStart" : "SessionStart", id, () => ({ source: created.has(id) ? "startup" : "resume" }))
  }

  async function end(id) {
    const isAgent = (await parentOf(id)).parent !== ""
    const said = await tell(isAgent ? "SubagentStop" : "Stop", id, () => ({ stop_hook_active: continued.has(id) }))
    const text = blocked(said)
    if (!text) return continued.delete(id)
    continued.set(id, text)
    const parts = [{ type: "text", text }]
    await client.session.promptAsync({ path: { id }, body: { ...talks.get(id), parts } })
  }

  // A text is the last of a turn when nothing is called in its message, as far as that is known yet.
  async function isLast(input) {
    if (ended.get(input.sessionID) === input.messageID) return false
    const found = await client.session.message({ path: { id: input.sessionID, messageID: input.messageID } })
    if (!found.data || found.data.info.summary) return false
    return !found.data.parts.some((part) => part.type === "tool")
  }

  async function prompt(input, output) {
    const id = input.sessionID
    const text = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
    failed.delete(id)
    talks.set(id, { agent: output.message.agent, model: output.message.model })
    const contexts = [contextOf(await begin(id))]
    if (text && text !== continued.get(id)) {
      continued.delete(id)
      const said = await tell("UserPromptSubmit", id, () => ({ prompt: text }))
      if (blocked(said)) return blocked(said)
      contexts.push(contextOf(said))
    }
    const context = contexts.filter(Boolean).join("\n\n")
    if (!context) return ""
    const place = { id: `prt_zz${Math.random().toString(36).slice(2)}`, messageID: output.message.id, sessionID: id }
    output.parts.push({ ...place, type: "text", text: context, synthetic: true })
    return ""
  }

  const EVENTS = {
    "session.created": ({ info }) => {
      created.add(info.id)
      parents.set(info.id, { parent: info.parentID ?? "", kind: info.agent ?? "" })
    },
    "session.error": ({ sessionID }) => failed.add(sessionID),
    "session.idle": async ({ sessionID }) => {
      const isAgent = (await parentOf(sessionID)).parent !== ""
      if (!LEAVES && !isAgent && started.has(sessionID) && !failed.has(sessionID)) await end(sessionID)
    },
    "session.compacted": ({ sessionID }) => tell("PostCompact", sessionID, () => ({ trigger: "auto" })),
    "message.part.updated": async ({ part }) => {
      if (part.type !== "tool" || part.state.status !== "error" || over.has(part.callID)) return
      over.add(part.callID)
      held.delete(part.callID)
      await tell("PostToolUseFailure", part.sessionID, () => call(part, part.state.input, { error: part.state.error }))
    },
  }

  return {
    event: async ({ event }) => {
      try {
        await EVENTS[event.type]?.(event.properties)
      } catch {}
    },
    "chat.message": async (input, output) => {
      const reason = await prompt(input, output).catch(() => "")
      if (!reason) return
      await client.tui.showToast({ body: { message: reason, variant: "error" } }).catch(() => {})
      if (LEAVES) process.stderr.write(`${reason}\n`)
      throw new Error(reason)
    },
    "tool.execute.before": async (input, output) => {
      const said = await tell("PreToolUse", input.sessionID, () => call(input, output.args))
      const reason = refusal(said)
      if (reason) {
        over.add(input.callID)
        throw new Error(reason)
      }
      rewrite(output.args, said)
      if (contextOf(said)) held.set(input.callID, contextOf(said))
    },
    "tool.execute.after": async (input, output) => {
      over.add(input.callID)
      const code = output.metadata?.exit
      const more = code ? { error: output.output } : { tool_response: { title: output.title, output: output.output } }
      const event = code ? "PostToolUseFailure" : "PostToolUse"
      const said = await tell(event, input.sessionID, () => call(input, input.args, more))
      const texts = [held.get(input.callID), blocked(said), contextOf(said)].filter(Boolean)
      held.delete(input.callID)
      if (texts.length) output.output = [output.output, ...texts].join("\n\n")
    },
    "experimental.text.complete": async (input) => {
      try {
        const isAgent = (await parentOf(input.sessionID)).parent !== ""
        if (!(LEAVES || isAgent) || !(await isLast(input))) return
        ended.set(input.sessionID, input.messageID)
        await end(input.sessionID)
      } catch {}
    },
    "experimental.session.compacting": async (input) => {
      await tell("PreCompact", input.sessionID, () => ({ trigger: "auto" }))
    },
    dispose: async () => {
      for (const id of started) {
        if (!parents.get(id)?.parent) await tell("SessionEnd", id, () => ({ reason: "other" }))
      }
    },
  }
}

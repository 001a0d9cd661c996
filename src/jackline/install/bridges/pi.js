// pi: its extension events as ours.
import { spawnSync } from "node:child_process"

export default function jackline(pi) {
  const held = new Map() // call → context that goes with its result
  const refused = new Set() // calls whose end is known
  let waiting = "" // context that goes with the next prompt
  let continued = "" // the text by which the agent was kept going

  function about(ctx, more) {
    const place = { session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd }
    return { ...place, transcript_path: ctx.sessionManager.getSessionFile(), ...more }
  }

  const tell = (event, ctx, makeMore = () => {}) => ask(event, () => about(ctx, makeMore()))

  // Without a terminal it leaves when a turn is over and waits for nobody: there everything stands still meanwhile.
  function tellNow(event, ctx, more) {
    if (!isThere()) return {}
    const options = { ...STDIO, encoding: "utf8", timeout: limitOf(event), killSignal: "SIGKILL" }
    const done = spawnSync(PYTHON, wordsOf(event), { ...options, input: textOf(event, about(ctx, more)) })
    return objectOf(done.stdout) ?? {}
  }

  const call = (event, more) => ({
    tool_name: event.toolName,
    tool_input: event.input,
    tool_use_id: event.toolCallId,
    ...more,
  })

  const add = (text) => {
    waiting = [waiting, text].filter(Boolean).join("\n\n")
  }

  function show(text, ctx) {
    if (ctx.hasUI) ctx.ui.notify(text, "error")
    else process.stderr.write(`${text}\n`)
  }

  pi.on("session_start", async (event, ctx) => {
    const source = event.reason === "new" ? "clear" : event.reason
    add(contextOf(await tell("SessionStart", ctx, () => ({ source }))))
  })

  pi.on("input", async (event, ctx) => {
    if (event.source === "extension") return
    continued = ""
    const said = await tell("UserPromptSubmit", ctx, () => ({ prompt: event.text }))
    if (blocked(said)) {
      show(blocked(said), ctx)
      return { action: "handled" }
    }
    add(contextOf(said))
  })

  pi.on("before_agent_start", () => {
    if (!waiting) return
    const message = { customType: "jackline", content: waiting, display: false }
    waiting = ""
    return { message }
  })

  pi.on("tool_call", async (event, ctx) => {
    const said = await tell("PreToolUse", ctx, () => call(event))
    const reason = refusal(said)
    if (reason) {
      refused.add(event.toolCallId)
      return { block: true, reason }
    }
    rewrite(event.input, said)
    if (contextOf(said)) held.set(event.toolCallId, contextOf(said))
  })

  pi.on("tool_result", async (event, ctx) => {
    if (refused.has(event.toolCallId)) return
    const text = event.content.map((part) => part.text ?? "").join("\n")
    const more = event.isError ? { error: text } : { tool_response: { output: text } }
    const said = await tell(event.isError ? "PostToolUseFailure" : "PostToolUse", ctx, () => call(event, more))
    const texts = [held.get(event.toolCallId), blocked(said), contextOf(said)].filter(Boolean)
    held.delete(event.toolCallId)
    if (texts.length) return { content: [...event.content, { type: "text", text: texts.join("\n\n") }] }
  })

  pi.on("turn_end", async (event, ctx) => {
    // one answer of the model: the end of what was asked when nothing was called in it
    if (event.toolResults.length || event.message.stopReason !== "stop") return
    const more = { stop_hook_active: continued !== "" }
    const said = ctx.hasUI ? await tell("Stop", ctx, () => more) : tellNow("Stop", ctx, more)
    continued = blocked(said)
    if (continued) pi.sendUserMessage(continued, { deliverAs: "followUp" })
  })

  pi.on("session_before_compact", async (_event, ctx) => {
    await tell("PreCompact", ctx, () => ({ trigger: "auto" }))
  })

  pi.on("session_compact", async (_event, ctx) => {
    await tell("PostCompact", ctx, () => ({ trigger: "auto" }))
  })

  pi.on("session_shutdown", async (event, ctx) => {
    await tell("SessionEnd", ctx, () => ({ reason: event.reason === "new" ? "clear" : "other" }))
  })
}

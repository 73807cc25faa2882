import type { ModelMessage, ModelRequest, ToolCall } from "./model.ts";

/** Everything that one side said before the other spoke again. An agent's tool calls come with their results. */
export type ModelTurn =
  | { role: "user"; texts: string[] }
  | { role: "agent"; texts: string[]; calls: { call: ToolCall; result: string }[] };

/** The result of a tool that never returned one. Vendors refuse requests with a call without a result. */
const NO_RESULT = "There is no result: the tool did not finish.";

/**
 * Returns the conversation in a form that every provider accepts: no blank messages, each tool call with its result, no
 * result without its call, and consecutive messages of one side joined.
 */
export function transcriptOf(messages: ModelMessage[]): ModelTurn[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.tool_call_id, message.text] as const] : [])),
  );
  const transcript: ModelTurn[] = [];
  for (const message of messages) {
    if (message.role === "tool") continue;
    const texts = message.text.trim() === "" ? [] : [message.text];
    const calls =
      message.role === "agent"
        ? message.tool_calls.map((call) => ({ call, result: results.get(call.id) ?? NO_RESULT }))
        : [];
    if (texts.length + calls.length === 0) continue;
    const last = transcript.at(-1);
    if (message.role === "user") {
      if (message.note !== undefined) texts.unshift(message.note);
      if (last?.role === "user") last.texts.push(...texts);
      else transcript.push({ role: "user", texts });
    } else if (last?.role === "agent" && last.calls.length === 0) {
      last.texts.push(...texts);
      last.calls.push(...calls);
    } else {
      transcript.push({ role: "agent", texts, calls });
    }
  }
  return transcript;
}

export function toolsUsed({ messages }: ModelRequest): string[] {
  const names = messages.flatMap((message) =>
    message.role === "agent" ? message.tool_calls.map(({ name }) => name) : [],
  );
  return [...new Set(names)];
}

import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { ModelMessage, ToolCall } from "../models/model.ts";
import { type PersonClock, timeNotes } from "./moment.ts";

/** Maximum characters of the conversation that a model gets: the newest whole turns. */
const MAX_HISTORY_CHARS = 100_000;

/** The result that a model gets for a tool that is still running. */
const STILL_RUNNING =
  "Still running: there is no result yet. Do not call it again; the result will be given to you when it is there.";

/**
 * Returns the conversation as a model gets it, with interrupted turns only as far as they were heard. The other
 * person's words come with the time if the minute has changed. This follows from the events alone, so that each request
 * repeats the same messages and models can cache them.
 */
export function historyOf(arrived: readonly ConversationEvent[], clock: PersonClock): ModelMessage[] {
  const timeNote = timeNotes(clock);
  // An interrupted turn is logged again after the turns that followed it.
  const events = arrived.toSorted((a, b) => a.seq - b.seq);
  const results = new Set(events.flatMap((event) => (event.type === "tool_result" ? [event.tool_call_id] : [])));
  const messages: ModelMessage[] = [];
  const names = new Map<string, string>();
  for (const event of events) {
    if (event.type === "user_turn") messages.push({ role: "user", text: event.text, ...timeNote(event.at) });
    else if (event.type === "agent_turn") {
      const text = event.interrupted ? `${event.heard ?? event.text} (interrupted)`.trim() : event.text;
      messages.push({ role: "agent", text, tool_calls: [] });
    } else if (event.type === "tool_call") {
      names.set(event.tool_call_id, event.name);
      const call: ToolCall = { id: event.tool_call_id, name: event.name, arguments: event.arguments };
      const last = messages.at(-1);
      if (last?.role === "agent") last.tool_calls.push(call);
      else messages.push({ role: "agent", text: "", tool_calls: [call] });
      if (!results.has(call.id))
        messages.push({ role: "tool", tool_call_id: call.id, name: call.name, text: STILL_RUNNING, isRunning: true });
    } else if (event.type === "tool_result") {
      const { tool_call_id, ok, result } = event;
      const resultText = typeof result === "string" ? result : JSON.stringify(result ?? null);
      const text = ok || event.state === "unknown" ? resultText : `Error: ${resultText}`;
      messages.push({ role: "tool", tool_call_id, name: names.get(tool_call_id) ?? "", text });
    }
  }
  return newest(grouped(messages));
}

/** Moves each result directly after the message that requested it. One message may contain several calls. */
function grouped(messages: ModelMessage[]): ModelMessage[] {
  const calledAt = new Map<string, number>();
  const after = new Map<number, ModelMessage[]>();
  const rest: { message: ModelMessage; at: number }[] = [];
  messages.forEach((message, at) => {
    if (message.role === "agent") for (const { id } of message.tool_calls) calledAt.set(id, at);
    const index = message.role === "tool" ? calledAt.get(message.tool_call_id) : undefined;
    if (message.role !== "tool") rest.push({ message, at });
    else if (index !== undefined) after.set(index, [...(after.get(index) ?? []), message]);
  });
  return rest.flatMap(({ message, at }) => [message, ...(after.get(at) ?? [])]);
}

/** Returns the newest messages that fit, beginning with the caller's words. */
function newest(messages: ModelMessage[]): ModelMessage[] {
  let chars = 0;
  let from = messages.length;
  while (from > 0) {
    chars += messages[from - 1]?.text.length ?? 0;
    if (chars > MAX_HISTORY_CHARS && from < messages.length) break;
    from--;
  }
  while (from > 0 && from < messages.length && messages[from]?.role === "tool") from++;
  return messages.slice(from);
}

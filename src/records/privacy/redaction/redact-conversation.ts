import { inOrder } from "../../conversations/event-order.ts";
import type { ConversationEvent } from "../../conversations/events.ts";
import { type Found, MARKS, marked, redactText, redactTexts, withoutJoints } from "./redact.ts";
import { redactFields, redactJson } from "./redact-json.ts";
import type { RedactKind } from "./spans.ts";
import type { StoragePolicy } from "./storage-policy.ts";

export type Turn = Extract<ConversationEvent, { type: "user_turn" | "agent_turn" }>;

/** The prefix of a turn that was entered on the keypad. */
export const KEYPAD = "(keypad)";
/** The types of events that contain what was said or the arguments of tools. Metadata does not contain these. */
const CONTENT = new Set<ConversationEvent["type"]>(["user_turn", "agent_turn", "tool_call", "tool_result"]);
/** The types of turns. Each speaker's turns are read as one text. */
export const SPEAKERS = ["user_turn", "agent_turn"] as const;

/**
 * Returns the part of a conversation that may be stored or shown under its agent's policy: its events in the order in
 * which they arrived, without those that are not stored. Its participants, model and tools always receive everything.
 */
export function redactConversation(events: ConversationEvent[], policy: StoragePolicy): ConversationEvent[] {
  if (policy.storage === "all") return events;
  if (policy.storage === "metadata") return events.flatMap(metadataOf);
  const kinds = new Set(policy.redact);
  const turns = inOrder(events).filter(isTurn);
  const found = new Map<number, Found[]>();
  for (const speaker of SPEAKERS) {
    const theirs = turns.filter(({ type }) => type === speaker);
    const texts = theirs.map(({ text }) => text);
    const { stretches } = redactTexts(texts, kinds);
    for (const [n, { seq }] of theirs.entries()) found.set(seq, stretches[n] ?? []);
  }
  return events.map((event) => redactEvent(event, found.get(event.seq) ?? [], kinds));
}

export const isTurn = (event: ConversationEvent): event is Turn =>
  event.type === "user_turn" || event.type === "agent_turn";

/** Returns an event as it is stored. `found` is what was found in its text, if it is a turn. */
export function redactEvent(
  event: ConversationEvent,
  found: readonly Found[],
  kinds: ReadonlySet<RedactKind>,
): ConversationEvent {
  switch (event.type) {
    case "user_turn":
      return Object.assign({}, event, { text: redactedTurn(event, found) });
    case "agent_turn":
      return Object.assign(
        {},
        event,
        { text: redactedTurn(event, found) },
        redactedHeard(event, found, kinds),
        redactedSources(event, kinds),
      );
    case "tool_call":
      return Object.assign({}, event, { arguments: redactFields(event.arguments, kinds) });
    case "tool_result":
      return Object.assign({}, event, { result: redactJson(event.result, kinds) });
    case "disposition": {
      const { note } = event;
      const value = redactText(event.value, kinds);
      return Object.assign({}, event, { value }, note === undefined ? null : { note: redactText(note, kinds) });
    }
    case "ended":
      return Object.assign({}, event, { reason: redactText(event.reason, kinds) });
    default:
      return event;
  }
}

/** Returns the passages that a turn is based on, with redacted headings. */
function redactedSources({ sources }: Extract<Turn, { type: "agent_turn" }>, kinds: ReadonlySet<RedactKind>) {
  if (sources === undefined) return null;
  return {
    sources: sources.map(({ document_id, chunk, heading }) => ({
      document_id,
      chunk,
      heading: redactText(heading, kinds),
    })),
  };
}

/** Returns the heard part of a turn, redacted like the turn. A redacted stretch is never shown in part. */
function redactedHeard(
  { text, heard }: Extract<Turn, { type: "agent_turn" }>,
  stretches: readonly Found[],
  kinds: ReadonlySet<RedactKind>,
): { heard?: string } {
  if (heard === undefined) return {};
  if (!text.startsWith(heard)) return { heard: redactText(heard, kinds) };
  const begun = stretches.filter(({ from }) => from < heard.length);
  let out = "";
  let end = 0;
  for (const { kind, from, to } of begun) {
    out += text.slice(end, from) + MARKS[kind];
    end = to;
  }
  return { heard: out + text.slice(end, Math.max(end, heard.length)) };
}

/** Returns the text of a turn. Digits entered on the keypad are not stored. */
function redactedTurn({ text }: Turn, found: readonly Found[]): string {
  return text.startsWith(KEYPAD) ? KEYPAD : marked(withoutJoints(text), found);
}

/** Returns an event without its content; empty if it consists of content. */
export function metadataOf(event: ConversationEvent): ConversationEvent[] {
  if (CONTENT.has(event.type)) return [];
  if (event.type !== "disposition") return [event];
  const { note: _, ...rest } = event;
  return [rest];
}

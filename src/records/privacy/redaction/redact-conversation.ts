import { inOrder } from "../../conversations/event-order.ts";
import type { ConversationEvent } from "../../conversations/events.ts";
import { MARKS, redactText, redactTexts } from "./redact.ts";
import { redactFields, redactJson } from "./redact-json.ts";
import type { RedactKind } from "./spans.ts";
import type { StoragePolicy } from "./storage-policy.ts";

/** The part of a conversation that may leave it. */
export interface RedactedConversation {
  /** Its events in the order they arrived, without those that do not go on record. */
  events: ConversationEvent[];
  /** Numbers (`seq`) of events that what follows may still change: held back while the conversation goes on. */
  unsettled: Set<number>;
}

type Turn = Extract<ConversationEvent, { type: "user_turn" | "agent_turn" }>;

/** The prefix of a turn entered on the keypad. */
export const KEYPAD = "(keypad)";
/** Utterances and the arguments of tools, which metadata do not contain. */
const CONTENT = new Set<ConversationEvent["type"]>(["user_turn", "agent_turn", "tool_call", "tool_result"]);

/** What may leave a conversation under its agent's policy. Its participants, its model and its tools get everything. */
export function redactConversation(events: ConversationEvent[], policy: StoragePolicy): RedactedConversation {
  if (policy.storage === "all") return { events, unsettled: new Set() };
  if (policy.storage === "metadata") return { events: events.flatMap(metadataOf), unsettled: new Set() };
  const kinds = new Set(policy.redact);
  const turns = inOrder(events).filter((event) => event.type === "user_turn" || event.type === "agent_turn");
  const unsettled = new Set<number>();
  const texts = new Map<number, Partial<Turn>>();
  for (const type of ["user_turn", "agent_turn"] as const) {
    const theirs = turns.filter((turn) => turn.type === type);
    const {
      texts: redacted,
      stretches,
      settled,
    } = redactTexts(
      theirs.map(({ text }) => text),
      kinds,
    );
    for (const [n, turn] of theirs.entries()) {
      if (n >= settled) unsettled.add(turn.seq);
      const text = withoutKeys(redacted[n] ?? "", turn.text);
      texts.set(
        turn.seq,
        turn.type === "agent_turn" ? { text, ...redactedHeard(turn, stretches[n] ?? [], kinds) } : { text },
      );
    }
  }
  return { events: events.map((event) => redactEvent(event, texts, kinds)), unsettled };
}

function redactEvent(
  event: ConversationEvent,
  texts: Map<number, Partial<Turn>>,
  kinds: ReadonlySet<RedactKind>,
): ConversationEvent {
  switch (event.type) {
    case "user_turn":
    case "agent_turn":
      return Object.assign({}, event, texts.get(event.seq));
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

/** What was heard of a turn, redacted like the turn; a redacted piece is never shown in part. */
function redactedHeard(
  { text, heard }: Extract<Turn, { type: "agent_turn" }>,
  stretches: { kind: RedactKind; from: number; to: number }[],
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

/** Digits that were keyed in do not go on record. */
function withoutKeys(redacted: string, original: string): string {
  return original.startsWith(KEYPAD) ? KEYPAD : redacted;
}

/** An event without its content; null if it consists of content. */
function metadataOf(event: ConversationEvent): ConversationEvent[] {
  if (CONTENT.has(event.type)) return [];
  if (event.type !== "disposition") return [event];
  const { note: _, ...rest } = event;
  return [rest];
}

import type { ConversationEvent } from "../../conversations/events.ts";
import { LiveTexts } from "./live-texts.ts";
import { isTurn, metadataOf, redactEvent } from "./redact-conversation.ts";
import type { RedactKind } from "./spans.ts";
import type { StoragePolicy } from "./storage-policy.ts";
import type { Work } from "./work.ts";

/**
 * Redacts a conversation while it is live, with the same results as `redactConversation` once it has ended. An event is
 * held back until nothing that follows can change how it is redacted.
 */
export class LiveRedaction {
  readonly #policy: StoragePolicy;
  readonly #kinds: ReadonlySet<RedactKind>;
  readonly #turns: Record<"user_turn" | "agent_turn", LiveTexts>;
  /** The redacted form of each event, so that each is redacted once. */
  readonly #shown = new WeakMap<ConversationEvent, ConversationEvent[]>();

  /** @param work is increased by the amount of text that was examined */
  constructor(policy: StoragePolicy, work?: Work) {
    this.#policy = policy;
    this.#kinds = new Set(policy.redact);
    this.#turns = { user_turn: new LiveTexts(this.#kinds, work), agent_turn: new LiveTexts(this.#kinds, work) };
  }

  /** Adds the next event, in the order of their numbers. */
  add(event: ConversationEvent): void {
    if (this.#policy.storage === "redacted" && isTurn(event)) this.#turns[event.type].add(event.seq, event.text);
  }

  /** Redacts the new events. @param isOver whether no turn follows */
  settle(isOver: boolean): void {
    this.#turns.user_turn.settle(isOver);
    this.#turns.agent_turn.settle(isOver);
  }

  /** Checks whether later events may still change how an event is redacted, or whether it was not redacted yet. */
  isHeld(event: ConversationEvent): boolean {
    return this.#policy.storage === "redacted" && isTurn(event) && this.#turns[event.type].found(event.seq) === null;
  }

  /** Returns what may be shown of an event that is not held back; empty if the event is not stored. */
  shown(event: ConversationEvent): ConversationEvent[] {
    const before = this.#shown.get(event);
    if (before !== undefined) return before;
    const shown = this.#redacted(event);
    this.#shown.set(event, shown);
    return shown;
  }

  #redacted(event: ConversationEvent): ConversationEvent[] {
    if (this.#policy.storage === "all") return [event];
    if (this.#policy.storage === "metadata") return metadataOf(event);
    const found = isTurn(event) ? this.#turns[event.type].found(event.seq) : null;
    return [redactEvent(event, found ?? [], this.#kinds)];
  }
}

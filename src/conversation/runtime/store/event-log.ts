import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { LoggedEvent } from "./conversation-row.ts";

/**
 * The events of a conversation in memory, in order of arrival. Each has two numbers: the sender's `seq`, and its
 * arrival number `n`.
 */
export class EventLog {
  #entries: LoggedEvent[] = [];
  readonly #seqs = new Set<number>();
  #through = 0;
  #mostSeq = 0;
  #leastSeq = 0;
  /** Never decreases, even across a visitor's conversations, because watchers resume by it. */
  #lastN = 0;
  #chars = 0;

  get entries(): readonly LoggedEvent[] {
    return this.#entries;
  }

  /** The last `seq` before the first gap. */
  get through(): number {
    return this.#through;
  }

  /** The arrival number of the newest event; 0 for none. */
  get lastN(): number {
    return this.#lastN;
  }

  /** The length of all events as JSON. */
  get chars(): number {
    return this.#chars;
  }

  get nextSeq(): number {
    return this.#mostSeq + 1;
  }

  /** A negative `seq`, which cannot collide with those of a runtime that numbers its own events. */
  get seqBeside(): number {
    return this.#leastSeq - 1;
  }

  /** The last reported outcome; null if none was reported. */
  get disposition(): string | null {
    let last: Extract<ConversationEvent, { type: "disposition" }> | null = null;
    for (const { event } of this.#entries)
      if (event.type === "disposition" && event.seq > (last?.seq ?? 0)) last = event;
    return last?.value ?? null;
  }

  has(seq: number): boolean {
    return this.#seqs.has(seq);
  }

  load(stored: { n: number; text: string }[]): void {
    for (const { n, text } of stored) this.#put(n, JSON.parse(text) as ConversationEvent, text);
  }

  /** Adds an event; returns its arrival number and its JSON. */
  add(event: ConversationEvent): { n: number; text: string } {
    const n = this.#lastN + 1;
    const text = JSON.stringify(event);
    this.#put(n, event, text);
    return { n, text };
  }

  #put(n: number, event: ConversationEvent, text: string): void {
    this.#entries.push({ n, event });
    this.#lastN = n;
    this.#chars += text.length;
    this.#seqs.add(event.seq);
    this.#mostSeq = Math.max(this.#mostSeq, event.seq);
    this.#leastSeq = Math.min(this.#leastSeq, event.seq);
    while (this.#seqs.has(this.#through + 1)) this.#through++;
  }

  /**
   * Removes the agent's turn with this number, so that it can be added again as it was heard; null if there is none.
   */
  removeTurn(seq: number): { n: number; event: Extract<ConversationEvent, { type: "agent_turn" }> } | null {
    const at = this.#entries.findLastIndex(({ event }) => event.seq === seq);
    const turn = this.#entries[at];
    if (turn?.event.type !== "agent_turn") return null;
    this.#entries.splice(at, 1);
    this.#chars -= JSON.stringify(turn.event).length;
    return { n: turn.n, event: turn.event };
  }

  /** Removes all events; the order of arrival continues. */
  clear(): void {
    this.#entries = [];
    this.#seqs.clear();
    this.#through = 0;
    this.#mostSeq = 0;
    this.#leastSeq = 0;
    this.#chars = 0;
  }
}

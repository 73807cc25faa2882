import { z } from "zod";
import { type ConversationEvent, conversationEvent, MAX_BYTES, MAX_EVENTS } from "./contract.ts";

const request = z.object({ events: z.array(conversationEvent).min(1) });

/** The answer to a request with events. */
export type Taken = { accepted_through: number } | { status: 400 | 413; error: string };

/** The events that a session reported, and all faults in the reports. */
export class Ledger {
  readonly #events = new Map<number, ConversationEvent>();
  /** The sent JSON, to compare repeated events. */
  readonly #sent = new Map<number, string>();
  readonly #complaints = new Set<string>();
  /** Numbers of events whose requests failed for the runtime. */
  readonly #failed = new Set<number>();
  #received = 0;

  /** The accepted events in order of their numbers. */
  get events(): ConversationEvent[] {
    return [...this.#events.values()].sort((a, b) => a.seq - b.seq);
  }

  /** The last number before the first gap. */
  get through(): number {
    let through = 0;
    while (this.#events.has(through + 1)) through++;
    return through;
  }

  /** Number of events that arrived, including repeated ones. */
  get received(): number {
    return this.#received;
  }

  /** Whether all events of failed requests were repeated. */
  get repeatedAll(): boolean {
    return this.#failed.size === 0;
  }

  /** The faults: malformed events, reused numbers, events after the end, and gaps. */
  get complaints(): string[] {
    const last = Math.max(0, ...this.#events.keys());
    const gap = last > this.through ? [`event ${this.through + 1} is missing, although ${last} arrived`] : [];
    const ended = this.events.filter(({ type }) => type === "ended");
    const twice = ended.length > 1 ? [`ended was reported ${ended.length} times`] : [];
    const end = ended[0];
    const late = end && last > end.seq ? [`event ${last} follows ended, which has the number ${end.seq}`] : [];
    return [...this.#complaints, ...gap, ...twice, ...late];
  }

  /**
   * Takes a request with events. Unless `answered`, the request fails for the runtime; with `kept`, its events count
   * anyway.
   */
  take(body: string, { answered = true, kept = answered }: { answered?: boolean; kept?: boolean } = {}): Taken {
    if (Buffer.byteLength(body) > MAX_BYTES) return this.#refuse(413, "a request is larger than 256 KB");
    const parsed = request.safeParse(json(body));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return this.#refuse(400, `malformed: ${issue?.path.join(".")}: ${issue?.message}: ${body.slice(0, 200)}`);
    }
    const { events } = parsed.data;
    if (events.length > MAX_EVENTS) return this.#refuse(413, `a request has ${events.length} events`);
    for (const event of events) this.#note(event, answered, kept);
    return { accepted_through: this.through };
  }

  #note(event: ConversationEvent, answered: boolean, kept: boolean): void {
    this.#received++;
    const text = JSON.stringify(event);
    const before = this.#sent.get(event.seq);
    if (before !== undefined && before !== text)
      this.#complaints.add(`number ${event.seq} was first ${before}, then ${text}`);
    this.#sent.set(event.seq, before ?? text);
    if (kept && !this.#events.has(event.seq)) this.#events.set(event.seq, event);
    if (answered) this.#failed.delete(event.seq);
    else this.#failed.add(event.seq);
  }

  #refuse(status: 400 | 413, error: string): Taken {
    this.#complaints.add(error);
    return { status, error };
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Finds events that were reported twice under two numbers. Equal words at the same millisecond count as the same event.
 */
export function doubled(events: ConversationEvent[]): string[] {
  const seen = new Map<string, number>();
  return events.flatMap(({ seq, ...event }) => {
    const text = JSON.stringify(event);
    const first = seen.get(text);
    seen.set(text, first ?? seq);
    return first === undefined ? [] : [`event ${seq} is event ${first} again: ${text}`];
  });
}

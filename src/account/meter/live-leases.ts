import { type LiveCaps, mayAdmit, usageBy } from "./live-caps.ts";
import type { ConversationUse, LiveAdmission, LiveLease, LiveRenewal } from "./live-lease.ts";
import { type HeldLease, LiveLeaseRows } from "./live-lease-rows.ts";
import type { MeterPart } from "./part.ts";

/** How long a lease lasts without a sign of life, ms: longer than a visitor may say nothing. */
export const LIVE_LEASE_MS = 20 * 60_000;
/** When to try again where as many conversations are live as there may be, ms. */
const RETRY_AFTER_MS = 30_000;

/**
 * The account's live leases. They are kept in memory, where they are counted and renewed; the storage has them for the
 * next life of the object, which gives each a full term. All methods are synchronous: nothing comes between the count and
 * the admission it allows.
 */
export class LiveLeases implements MeterPart {
  readonly #rows: LiveLeaseRows;
  readonly #held = new Map<string, HeldLease>();

  constructor(sql: SqlStorage, now: number) {
    this.#rows = new LiveLeaseRows(sql);
    for (const { lease } of this.#rows.all()) this.#held.set(lease.id, { lease, expiresAt: now + LIVE_LEASE_MS });
  }

  /** How many conversations of visitors are live. */
  conversations(now: number): number {
    this.#forgetLapsed(now);
    return [...this.#held.values()].filter(({ lease }) => lease.kind === "widget").length;
  }

  /** Takes a lease for a conversation that is to begin; a repeated request for the same one changes nothing. */
  admit(lease: LiveLease, caps: LiveCaps, now: number): LiveAdmission {
    this.#forgetLapsed(now);
    const { holder } = lease;
    if (lease.kind === "widget" && holder.type === "visitor") {
      const usage = usageBy(holder, this.#others(lease));
      if (!mayAdmit(caps, usage, holder))
        return { outcome: "refused", code: "conversation_cap", retryAfterMs: RETRY_AFTER_MS };
    }
    // An object holds one conversation at a time: the one before it is over.
    for (const { id } of this.#heldBy(lease)) this.leave(id);
    this.#put(lease, now);
    return { outcome: "admitted" };
  }

  /** Keeps a lease, also one that had lapsed: what goes on is not counted out. */
  renew(lease: LiveLease, _use: ConversationUse, now: number): LiveRenewal {
    const held = this.#held.get(lease.id);
    if (held) held.expiresAt = now + LIVE_LEASE_MS;
    else this.#put(lease, now);
    return { outcome: "ok" };
  }

  leave(id: string): void {
    if (this.#held.delete(id)) this.#rows.delete(id);
  }

  nextAt(): number | null {
    return null;
  }

  async round(): Promise<void> {}

  #put(lease: LiveLease, now: number): void {
    const held = { lease, expiresAt: now + LIVE_LEASE_MS };
    this.#held.set(lease.id, held);
    this.#rows.put(held);
  }

  /** The other leases that the object of this conversation holds. */
  #heldBy({ id, object }: LiveLease): LiveLease[] {
    return [...this.#held.values()]
      .map(({ lease }) => lease)
      .filter(
        (other) =>
          other.id !== id &&
          isConversation(other) &&
          other.object.id === object.id &&
          other.object.type === object.type,
      );
  }

  *#others({ id, object }: LiveLease): Generator<LiveLease> {
    for (const { lease } of this.#held.values()) {
      if (lease.id !== id && lease.object.id !== object.id) yield lease;
    }
  }

  #forgetLapsed(now: number): void {
    for (const [id, { expiresAt }] of this.#held) if (expiresAt <= now) this.leave(id);
  }
}

function isConversation({ kind }: LiveLease): boolean {
  return kind === "widget" || kind === "test" || kind === "call";
}

import { earliest } from "../../kernel/durable/alarm.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import { type LiveCaps, mayAdmit, usageBy } from "./live-caps.ts";
import type { LiveAdmission, LiveLease, LiveRenewal } from "./live-lease.ts";
import { LiveLeaseRows } from "./live-lease-rows.ts";

/** How long a conversation's lease lasts without renewal, ms. This is longer than a visitor may be silent. */
export const LIVE_LEASE_MS = 20 * MINUTE_MS;
/** How long the lease of a stream or upload lasts, ms. It is renewed every 15 s. */
export const STREAM_LEASE_MS = 90_000;
/** The retry delay when the maximum number of conversations is reached, ms. */
const RETRY_AFTER_MS = 30_000;

/** A lease in memory. Times are in ms. */
export interface HeldLease {
  readonly lease: LiveLease;
  expiresAt: number;
  /** The gate's stamp with which the holder's access was last confirmed; null while it is unconfirmed. */
  judgedAs: string | null;
  /** When the holder loses access even if nothing changes, ms; null for never. */
  until: number | null;
  /** The reason why it is ending; null if it is not. */
  ends: string | null;
  /** Whether its object has been told and has not answered yet. */
  notified: boolean;
}

/** The leases of one object that end for the same reason. */
export interface EndingLeases {
  object: LiveLease["object"];
  held: HeldLease[];
  reason: string;
}

/**
 * The account's live leases. They are counted and renewed in memory, and stored so that a rebuilt object can give each
 * of them a full term. All methods are synchronous, so nothing happens between the count and the admission that it
 * allows.
 */
export class LiveLeases {
  readonly #rows: LiveLeaseRows;
  readonly #held = new Map<string, HeldLease>();
  /** The last known stamp of the gate. */
  #stamp: string | null = null;

  constructor(sql: SqlStorage, now: number) {
    this.#rows = new LiveLeaseRows(sql);
    for (const lease of this.#rows.all()) this.#held.set(lease.id, held(lease, null, now));
  }

  count(kind: LiveLease["kind"], now: number): number {
    this.#pruneLapsed(now);
    let count = 0;
    for (const { lease } of this.#held.values()) if (lease.kind === kind) count++;
    return count;
  }

  /** Takes a lease for a new conversation. Repeating it changes nothing. */
  admit(lease: LiveLease, caps: LiveCaps, now: number): LiveAdmission {
    this.#pruneLapsed(now);
    const { holder } = lease;
    if (lease.kind === "widget" && holder.type === "visitor") {
      const usage = usageBy(holder, this.#others(lease));
      if (!mayAdmit(caps, usage, holder))
        return { outcome: "refused", code: "conversation_cap", retryAfterMs: RETRY_AFTER_MS };
    }
    // An object runs one conversation at a time, so the previous one is over.
    for (const id of this.#conversationsOf(lease)) this.leave(id);
    // The holder's access is read after this, so the read sees every change from before the stamp.
    this.#put(lease, this.#stamp, now);
    return { outcome: "admitted" };
  }

  /** Takes a lease for a stream or an upload; false if `most` of its kind are already live. */
  take(lease: LiveLease, most: number, now: number): boolean {
    if (!this.#held.has(lease.id) && this.count(lease.kind, now) >= most) return false;
    this.#put(lease, null, now);
    return true;
  }

  /**
   * Renews the lease of a conversation, even if it has expired, because a conversation that continues must be counted.
   */
  renew(lease: LiveLease, now: number): LiveRenewal {
    const { ends } = this.#keep(lease, now);
    return ends === null ? { outcome: "ok" } : { outcome: "ended", reason: ends };
  }

  /**
   * Keeps these leases of an object. Its other leases of this kind, except those being opened, were lost with its
   * process and are freed.
   */
  keepAll(of: Pick<LiveLease, "kind" | "object">, leases: LiveLease[], opening: string[], now: number): void {
    const wanted = new Set([...leases.map(({ id }) => id), ...opening]);
    for (const { lease } of this.#held.values()) {
      if (lease.kind === of.kind && isSame(lease.object, of.object) && !wanted.has(lease.id)) this.leave(lease.id);
    }
    for (const lease of leases) this.#keep(lease, now);
  }

  leave(id: string): void {
    if (this.#held.delete(id)) this.#rows.delete(id);
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Returns the console sessions that hold a lease. */
  sessions(): string[] {
    const credentials = [...this.#held.values()].flatMap(({ lease: { holder } }) =>
      holder.type === "member" ? holder.credential : [],
    );
    return [...new Set(credentials.flatMap((credential) => ("session" in credential ? credential.session.id : [])))];
  }

  /** Returns the leases whose access was not confirmed with the current stamp. */
  unjudged(stamp: string | null, now: number): HeldLease[] {
    this.#pruneLapsed(now);
    return [...this.#held.values()].filter(
      ({ ends, judgedAs }) => ends === null && (stamp === null || judgedAs !== stamp),
    );
  }

  /** Sets the gate's current stamp. Leases that were confirmed with it need no other check. */
  knows(stamp: string | null): void {
    this.#stamp = stamp;
  }

  judged(lease: HeldLease, stamp: string | null, until: number | null): void {
    lease.judgedAs = stamp;
    lease.until = until;
  }

  end(lease: HeldLease, reason: string): void {
    lease.ends ??= reason;
  }

  endPast(now: number): void {
    for (const lease of this.#held.values()) if (lease.until !== null && lease.until <= now) this.end(lease, "expired");
  }

  /** Returns when (ms) the first holder of a lease loses access by itself; null for never. */
  soonestEnd(): number | null {
    return earliest([...this.#held.values()].flatMap(({ until, ends }) => (ends === null ? until : [])));
  }

  /** Returns the ending leases whose objects must be told, and marks them as notified. */
  ending(): EndingLeases[] {
    const groups = new Map<string, EndingLeases>();
    for (const one of this.#held.values()) {
      const { lease, ends: reason, notified } = one;
      if (reason === null || notified) continue;
      one.notified = true;
      const key = `${lease.object.type} ${lease.object.id} ${reason}`;
      const group = groups.get(key) ?? { object: lease.object, held: [], reason };
      group.held.push(one);
      groups.set(key, group);
    }
    return [...groups.values()];
  }

  /** Returns the ids of these leases that are ending. */
  endingOf(leases: LiveLease[]): string[] {
    return leases.map(({ id }) => id).filter((id) => (this.#held.get(id)?.ends ?? null) !== null);
  }

  /** Marks leases whose object could not be reached, so that it is told again. */
  endAgain(leases: HeldLease[]): void {
    for (const lease of leases) lease.notified = false;
  }

  #keep(lease: LiveLease, now: number): HeldLease {
    const existing = this.#held.get(lease.id);
    if (!existing) return this.#put(lease, null, now);
    existing.expiresAt = now + termOf(lease);
    return existing;
  }

  #put(lease: LiveLease, judgedAs: string | null, now: number): HeldLease {
    const taken = held(lease, judgedAs, now);
    this.#held.set(lease.id, taken);
    this.#rows.put(lease);
    return taken;
  }

  /** Returns the other conversations of this conversation's object. */
  #conversationsOf({ id, object }: LiveLease): string[] {
    return [...this.#held.values()].flatMap(({ lease }) =>
      lease.id !== id && lease.object.type === "conversation" && isConversation(lease) && isSame(lease.object, object)
        ? lease.id
        : [],
    );
  }

  *#others({ id, object }: LiveLease): Generator<LiveLease> {
    for (const { lease } of this.#held.values()) if (lease.id !== id && !isSame(lease.object, object)) yield lease;
  }

  #pruneLapsed(now: number): void {
    for (const [id, { expiresAt }] of this.#held) if (expiresAt <= now) this.leave(id);
  }
}

function held(lease: LiveLease, judgedAs: string | null, now: number): HeldLease {
  const until = lease.holder.type === "member" ? lease.holder.until : null;
  return { lease, expiresAt: now + termOf(lease), judgedAs, until, ends: null, notified: false };
}

function termOf(lease: LiveLease): number {
  return isConversation(lease) ? LIVE_LEASE_MS : STREAM_LEASE_MS;
}

function isConversation({ kind }: LiveLease): boolean {
  return kind === "widget" || kind === "test" || kind === "call";
}

function isSame(one: LiveLease["object"], other: LiveLease["object"]): boolean {
  return one.type === other.type && one.id === other.id;
}

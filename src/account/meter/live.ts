import type { Reader } from "../../kernel/http/credential.ts";
import { tooMany } from "../../kernel/http/errors.ts";
import { overQuota, type Quotas } from "../plan/quotas.ts";
import type { LiveCaps } from "./live-caps.ts";
import type { LiveAdmission, LiveLease, LiveRenewal } from "./live-lease.ts";
import { LiveLeases } from "./live-leases.ts";
import { LiveRevocation, type RevocationDependencies } from "./live-revocation.ts";

/** The object that keeps a stream or an upload open. */
export type LeaseOwner = LiveLease["object"];

interface Dependencies extends Omit<RevocationDependencies, "leases"> {
  sql: SqlStorage;
}

/** The retry delay when too many are open, ms. A reader that left is noticed at the next heartbeat. */
const RETRY_AFTER_MS = { event_streams: 15_000, uploads: 5_000 };
const QUOTA_OF = { stream: "event_streams", upload: "uploads" } as const;

/**
 * Everything live in the account: conversations, streams and uploads. Each has a lease, and is closed when it loses
 * access.
 */
export class Live {
  readonly #leases: LiveLeases;
  /** The part that closes everything that loses access. */
  readonly revocation: LiveRevocation;

  constructor(deps: Dependencies) {
    this.#leases = new LiveLeases(deps.sql, Date.now());
    this.revocation = new LiveRevocation(Object.assign({ leases: this.#leases }, deps));
  }

  count(kind: LiveLease["kind"]): number {
    return this.#leases.count(kind, Date.now());
  }

  /** Takes a lease for a new conversation. */
  admit(lease: LiveLease, caps: LiveCaps): LiveAdmission {
    return this.#leases.admit(lease, caps, Date.now());
  }

  /** Renews a conversation's lease. The holder's access is checked afterwards. */
  renew(lease: LiveLease): LiveRenewal {
    const renewal = this.#leases.renew(lease, Date.now());
    this.revocation.checkSoon();
    return renewal;
  }

  leave(ids: string[]): void {
    for (const id of ids) this.#leases.leave(id);
  }

  /** Called after admission changed. Resolves when all leases have been checked again. */
  accessChanged(): Promise<void> {
    return this.revocation.check();
  }

  /**
   * Takes a lease for a stream. `first` is set for the first stream since its object was rebuilt, because the object's
   * earlier streams are then gone.
   * @throws ApiError 429 if the quota is reached
   */
  openStream(owner: LeaseOwner, stream: { id: string; reader: Reader }, first: boolean, quotas: Quotas): void {
    if (first) this.#leases.keepAll({ kind: "stream", object: owner }, [], [], Date.now());
    this.#take(leaseOf("stream", owner, stream), quotas);
  }

  /** Renews an object's open streams and those it is opening. Returns the ids of those that must end. */
  keepStreams(owner: LeaseOwner, open: { id: string; reader: Reader }[], opening: string[]): string[] {
    const leases = open.map((stream) => leaseOf("stream", owner, stream));
    this.#leases.keepAll({ kind: "stream", object: owner }, leases, opening, Date.now());
    this.revocation.checkSoon();
    return this.#leases.endingOf(leases);
  }

  /** Takes a lease for an upload. @throws ApiError 429 if the quota is reached */
  beginUpload(owner: LeaseOwner, upload: { id: string; reader: Reader }, quotas: Quotas): void {
    this.#take(leaseOf("upload", owner, upload), quotas);
  }

  /** Renews the lease of an upload that is still being read. */
  keepUpload(owner: LeaseOwner, upload: { id: string; reader: Reader }): void {
    this.#leases.renew(leaseOf("upload", owner, upload), Date.now());
    this.revocation.checkSoon();
  }

  #take(lease: LiveLease & { kind: keyof typeof QUOTA_OF }, quotas: Quotas): void {
    const quota = QUOTA_OF[lease.kind];
    if (!this.#leases.take(lease, quotas[quota], Date.now()))
      throw tooMany("quota_exceeded", overQuota(quota, quotas[quota]), RETRY_AFTER_MS[quota]);
    // The holder may have been admitted before the last change of access.
    this.revocation.checkSoon();
  }
}

function leaseOf<K extends keyof typeof QUOTA_OF>(
  kind: K,
  object: LeaseOwner,
  { id, reader: { credential, until, view } }: { id: string; reader: Reader },
): LiveLease & { kind: K } {
  return {
    id,
    kind,
    object,
    agent_id: null,
    campaign_id: null,
    api_key_id: null,
    holder: { type: "member", credential, until, view },
  };
}

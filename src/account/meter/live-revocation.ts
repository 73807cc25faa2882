import pMap from "p-map";
import { earliest } from "../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { PROMPT_RETRY } from "../../kernel/durable/part-failures.ts";
import type { GateAccess } from "../gate/session-ledger.ts";
import { type LiveAccess, mayStay } from "./live-access.ts";
import type { LiveLease } from "./live-lease.ts";
import type { EndingLeases, LiveLeases } from "./live-leases.ts";

export interface RevocationDependencies {
  leases: LiveLeases;
  /** Returns what the account's gate knows about access, and about these sessions. */
  atGate(sessions: string[]): Promise<GateAccess>;
  /** Reads, in one round trip, the data that decides whether the holders of these leases have access. */
  read(leases: LiveLease[]): Promise<LiveAccess["found"]>;
  /** Tells the object to close the conversations, streams or uploads that have these leases. */
  close(object: LiveLease["object"], ids: string[], reason: string): Promise<void>;
  arm(): Promise<void>;
  report(error: unknown): void;
}

/** The number of objects notified at a time. */
const AT_ONCE = 50;
/** The retry delay after a failure, ms. */
const TRY_AGAIN_MS = 1_000;

/**
 * Closes everything that loses access. A check asks the gate whether anything has changed since the last check, and if
 * so checks all leases with one batch of reads. It runs when the gate reports a change and after every renewal, so that
 * a lost message costs at most one turn.
 */
export class LiveRevocation implements ObjectPart {
  readonly retry = PROMPT_RETRY;
  readonly #deps: RevocationDependencies;
  #checking: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  /** When (ms) a failed check or close is retried. */
  #againAt: number | null = null;

  constructor(deps: RevocationDependencies) {
    this.#deps = deps;
  }

  /** Schedules a check after the object was rebuilt, because it does not know what has changed in the meantime. */
  resume(now: number): void {
    this.#againAt = now;
  }

  dueAt(): number | null {
    return earliest([this.#againAt, this.#deps.leases.soonestEnd()]);
  }

  async run(now: number): Promise<void> {
    this.#againAt = null;
    this.#deps.leases.endPast(now);
    await this.check();
  }

  /** Checks all leases, starting now: a check in progress may have begun before the latest change. */
  check(): Promise<void> {
    if (this.#next) return this.#next;
    if (!this.#checking) return this.#begin();
    const next = this.#checking
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.#begin();
      });
    this.#next = next;
    return next;
  }

  /** Starts a check in the background. */
  checkSoon(): void {
    this.check().catch(this.#deps.report);
  }

  #begin(): Promise<void> {
    const checking = this.#check().finally(() => {
      if (this.#checking === checking) this.#checking = null;
    });
    this.#checking = checking;
    return checking;
  }

  async #check(): Promise<void> {
    const { leases, atGate, read } = this.#deps;
    if (leases.isEmpty) return;
    try {
      const { stamp, sessions } = await atGate(leases.sessions());
      const unjudged = leases.unjudged(stamp, Date.now());
      if (unjudged.length > 0) {
        const found = await read(unjudged.map(({ lease }) => lease));
        const now = Date.now();
        for (const held of unjudged) {
          const verdict = mayStay(held.lease, { found, sessions }, now);
          if (verdict.stays) leases.judged(held, stamp, verdict.until);
          else leases.end(held, verdict.reason);
        }
      }
      leases.knows(stamp);
    } catch (error) {
      await this.#tryAgain();
      throw error;
    } finally {
      // Not awaited, so that an object that does not answer does not delay other checks.
      this.#closeEnding().catch(this.#deps.report);
    }
    await this.#deps.arm();
  }

  /** Makes objects close their ending leases, and retries those that could not be reached. */
  async #closeEnding(): Promise<void> {
    await pMap(this.#deps.leases.ending(), (ending) => this.#close(ending), { concurrency: AT_ONCE });
  }

  async #close({ object, held, reason }: EndingLeases): Promise<void> {
    const { leases, close, report } = this.#deps;
    const ids = held.map(({ lease }) => lease.id);
    try {
      await close(object, ids, reason);
      for (const id of ids) leases.leave(id);
    } catch (error) {
      report(error);
      leases.endAgain(held);
      await this.#tryAgain();
    }
  }

  async #tryAgain(): Promise<void> {
    this.#againAt = Date.now() + TRY_AGAIN_MS;
    await this.#deps.arm();
  }
}

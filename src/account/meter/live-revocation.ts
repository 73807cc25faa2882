import pMap from "p-map";
import { earliest } from "../../kernel/durable/alarm.ts";
import type { GateAccess } from "../gate/session-ledger.ts";
import { type LiveAccess, mayStay } from "./live-access.ts";
import type { LiveLease } from "./live-lease.ts";
import type { EndingLeases, LiveLeases } from "./live-leases.ts";

export interface RevocationDependencies {
  leases: LiveLeases;
  /** What the account's gate knows about access, and about these sessions. */
  atGate(sessions: string[]): Promise<GateAccess>;
  /** Reads by what these are judged, in one round trip. */
  read(leases: LiveLease[]): Promise<LiveAccess["found"]>;
  /** Has the object that keeps these open close them. */
  close(object: LiveLease["object"], ids: string[], reason: string): Promise<void>;
  arm(): Promise<void>;
  report(error: unknown): void;
}

/** How many objects are notified at a time. */
const AT_ONCE = 50;
/** After a failure it is tried again, ms. */
const TRY_AGAIN_MS = 1_000;

/**
 * Closes what may not stay. A check asks the gate whether anything has changed since the leases were judged, and if so
 * judges them again with one batch of reads. It runs when the gate reports a change and after every renewal, so that a
 * lost message costs no more than one turn.
 */
export class LiveRevocation {
  readonly #deps: RevocationDependencies;
  #checking: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  /** When (ms) a check or a close that failed is tried again. */
  #againAt: number | null = null;

  constructor(deps: RevocationDependencies) {
    this.#deps = deps;
  }

  /** The object was rebuilt: it does not know what has changed meanwhile. */
  resume(now: number): void {
    this.#againAt = now;
  }

  nextAt(): number | null {
    return earliest([this.#againAt, this.#deps.leases.soonestEnd()]);
  }

  async round(now: number): Promise<void> {
    this.#againAt = null;
    this.#deps.leases.endPast(now);
    await this.check();
  }

  /** Checks all leases as things stand from here on; one that is under way may have begun too early. */
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

  /** The same, in the background. */
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
      // An object that does not answer holds up no other check.
      this.#closeEnding().catch(this.#deps.report);
    }
    await this.#deps.arm();
  }

  /** Has the objects close what is ending; retries those that could not be reached. */
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

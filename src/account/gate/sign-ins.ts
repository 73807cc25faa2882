import { signInDelay } from "./sign-in-delay.ts";
import type { SignInLedger, SignInPair } from "./sign-in-ledger.ts";

/** Whether a password may be tried now. `at` is when the session begins (ms) if the password is right. */
export type SignInChance = { outcome: "try"; at: number } | { outcome: "wait"; retryAfterMs: number };

/** The outcome of an attempt. `half` means that the password is right and the second factor is still missing. */
export type SignInResult = "right" | "wrong" | "half";

interface Ledgers {
  /** The stored sign-ins; null until the first attempt to sign in. */
  existing: () => SignInLedger | null;
  open: () => SignInLedger;
}

/** Controls sign-ins by password: decides who must wait, and records the outcomes. */
export class SignIns {
  readonly #ledgers: Ledgers;
  /** The changes of users that are in progress. */
  readonly #changes = new Set<Promise<unknown>>();

  constructor(ledgers: Ledgers) {
    this.#ledgers = ledgers;
  }

  /** Delays sign-ins until this change of users is complete, so that a replaced password is no longer accepted. */
  during(change: Promise<unknown>): void {
    this.#changes.add(change);
    const done = () => this.#changes.delete(change);
    change.then(done, done);
  }

  /** Decides whether to allow an attempt. A null pair means that failures are not counted. */
  async begin(pair: SignInPair | null): Promise<SignInChance> {
    await Promise.allSettled(this.#changes);
    const now = Date.now();
    const wait = this.#wait(pair, now);
    return wait > 0 ? { outcome: "wait", retryAfterMs: wait } : { outcome: "try", at: now };
  }

  /**
   * Records the result of an attempt. Returns how long (ms) to wait if the attempt does not count: of many passwords
   * tried at once, those that could not have been tried one after the other are ignored, even the right one.
   */
  end(pair: SignInPair, result: SignInResult): number {
    const now = Date.now();
    const wait = this.#wait(pair, now);
    if (wait > 0 || result === "half") return wait;
    const ledger = this.#ledgers.open();
    if (result === "right") ledger.succeeded(pair, now);
    else ledger.failed(pair, now);
    return 0;
  }

  #wait(pair: SignInPair | null, now: number): number {
    const history = pair && this.#ledgers.existing()?.history(pair, now);
    return history ? signInDelay(history, now) : 0;
  }
}

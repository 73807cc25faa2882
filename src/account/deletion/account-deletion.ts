import { DeletionStore } from "../../kernel/db/deletion-store.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { armNoLaterThan } from "../../kernel/durable/alarm.ts";
import { accountOf } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
import { continueDeletion } from "./job.ts";

/** The wait after a failure, ms; it doubles up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * The object that deletes an account, named by it. D1 has how far the deletion is: the object stores nothing but its
 * alarm, and whoever wakes it has it continue.
 */
export class AccountDeletion extends ObservedObject<Env> {
  readonly #account = accountOf(this.ctx);
  #failures = 0;

  /** Continues the deletion at `at`, ms, at the latest. */
  async wake(at: number): Promise<void> {
    await armNoLaterThan(this.ctx.storage, at);
  }

  override async alarm(): Promise<void> {
    const next = await this.#continue();
    if (next !== null) await this.ctx.storage.setAlarm(Math.max(Date.now() + 1, next));
  }

  /** Returns when (ms) to continue, null once there is nothing left to do. */
  async #continue(): Promise<number | null> {
    const [env, account] = [this.env, this.#account];
    try {
      const deletion = new DeletionStore(env.DB, account);
      const store = accountStore(env, account, { actor: "system:deletion", request_id: "" });
      const next = await continueDeletion({ env, store, deletion, clock: Date.now });
      this.#failures = 0;
      return next;
    } catch (error) {
      logError("account deletion", error, { account });
      return Date.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
    }
  }
}

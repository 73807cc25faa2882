import { DeletionStore } from "../../kernel/db/deletion-store.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountOf } from "../../kernel/durable/objects.ts";
import { RemindedPart } from "../../kernel/durable/reminded-part.ts";
import { logError } from "../../kernel/log.ts";
import { ObservedObject } from "../../kernel/observing/observed-object.ts";
import { continueDeletion } from "./job.ts";

/**
 * The Durable Object that deletes an account. Its progress is in D1. The object stores only its alarm, and continues
 * when the alarm wakes it.
 */
export class AccountDeletion extends ObservedObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #deletion = new RemindedPart(() => this.#continue());
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    holds: () => true,
    build: () => ({ deletion: this.#deletion }),
    parts: ({ deletion }) => ({ deletion }),
    report: (error, context) => logError("account deletion", error, Object.assign({ account: this.#account }, context)),
  });

  /** Makes the deletion continue at `at` (ms) at the latest. */
  async wake(at: number): Promise<void> {
    this.#deletion.remind(at);
    await this.frame.arm();
  }

  /** Returns when (ms) to continue; null if nothing is left to do. */
  async #continue(): Promise<number | null> {
    const [env, account] = [this.env, this.#account];
    const deletion = new DeletionStore(env.DB, account);
    const store = accountStore(env, account, { actor: "system:deletion", request_id: "" });
    return continueDeletion({ env, store, deletion, clock: Date.now });
  }
}

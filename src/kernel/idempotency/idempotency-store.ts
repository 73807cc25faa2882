import { ObjectFrame } from "../durable/object-frame.ts";
import type { IdempotencyKeys, KeyedRequest, KeyOutcome, KeyVerdict } from "../http/context.ts";
import { logError } from "../log.ts";
import { ObservedObject } from "../observing/observed-object.ts";
import { type AnsweredPerson, type AnswersSwept, KeyLedger } from "./key-ledger.ts";
import { IDEMPOTENCY_MIGRATIONS } from "./migrations.ts";

/** One of the objects that store an account's idempotency keys and their responses. */
export class IdempotencyStore extends ObservedObject<Env> implements IdempotencyKeys {
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    migrations: IDEMPOTENCY_MIGRATIONS,
    build: (sql) => new KeyLedger(sql),
    parts: (keys) => ({ keys }),
    report: (error, context) => logError("idempotency", error, context),
  });

  async begin(request: KeyedRequest): Promise<KeyVerdict> {
    const verdict = this.frame.open().begin(request, Date.now());
    await this.frame.arm();
    return verdict;
  }

  async prolong(request: KeyedRequest): Promise<void> {
    this.frame.open().prolong(request, Date.now());
  }

  async finish(request: KeyedRequest, outcome: KeyOutcome): Promise<void> {
    this.frame.open().finish(request, outcome, Date.now());
  }

  /** Erases a person from up to `limit` responses after a key. */
  async erasePerson(person: AnsweredPerson, after: string, limit: number): Promise<AnswersSwept> {
    const keys = this.frame.existing;
    if (!keys) return { masked: 0, next: null };
    return this.ctx.storage.transactionSync(() => keys.erasePerson(person, after, limit));
  }
}

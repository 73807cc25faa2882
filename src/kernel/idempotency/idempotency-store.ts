import { armNoLaterThan } from "../durable/alarm.ts";
import { giveWay } from "../durable/give-way.ts";
import { hasTable, migrate } from "../durable/migrate.ts";
import type { IdempotencyKeys, KeyedRequest, KeyOutcome, KeyVerdict } from "../http/context.ts";
import { logError } from "../log.ts";
import { ObservedObject } from "../observing/observed-object.ts";
import { type AnsweredPerson, type AnswersSwept, KeyLedger } from "./key-ledger.ts";
import { IDEMPOTENCY_MIGRATIONS } from "./migrations.ts";

/** Expired keys are deleted together, at most this much later, ms. */
const FORGET_EVERY_MS = 600_000;

/** One of an account's shards of idempotency keys and their answers. */
export class IdempotencyStore extends ObservedObject<Env> implements IdempotencyKeys {
  #opened: KeyLedger | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // An alarm can get lost with its process.
    if (hasTable(ctx.storage, "reservations")) ctx.blockConcurrencyWhile(() => this.#arm());
  }

  get #ledger(): KeyLedger {
    if (this.#opened) return this.#opened;
    migrate(this.ctx.storage, IDEMPOTENCY_MIGRATIONS, Date.now());
    this.#opened = new KeyLedger(this.ctx.storage.sql);
    return this.#opened;
  }

  async begin(request: KeyedRequest): Promise<KeyVerdict> {
    const verdict = this.#ledger.begin(request, Date.now());
    await this.#arm();
    return verdict;
  }

  async prolong(request: KeyedRequest): Promise<void> {
    this.#ledger.prolong(request, Date.now());
  }

  async finish(request: KeyedRequest, outcome: KeyOutcome): Promise<void> {
    this.#ledger.finish(request, outcome, Date.now());
  }

  /** Takes a person out of `limit` answers after a key. */
  async forgetPerson(person: AnsweredPerson, after: string, limit: number): Promise<AnswersSwept> {
    if (!hasTable(this.ctx.storage, "reservations")) return { masked: 0, next: null };
    return this.ctx.storage.transactionSync(() => this.#ledger.forgetPerson(person, after, limit));
  }

  override async alarm(): Promise<void> {
    if (!hasTable(this.ctx.storage, "reservations")) return;
    try {
      while (this.#ledger.forgetPast(Date.now())) await giveWay();
    } catch (error) {
      logError("idempotency", error);
    } finally {
      await this.#arm();
    }
  }

  async #arm(): Promise<void> {
    const next = this.#ledger.nextExpiry();
    if (next !== null) await armNoLaterThan(this.ctx.storage, Math.max(next, Date.now()) + FORGET_EVERY_MS);
  }
}

import { DurableObject } from "cloudflare:workers";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountEvents, volumeOf } from "../../kernel/durable/objects.ts";
import { Outbox } from "../../kernel/durable/outbox.ts";
import { logError } from "../../kernel/log.ts";
import { LEDGER_MIGRATIONS } from "./migrations.ts";
import { type LedgerDestination, LedgerRecords } from "./records.ts";
import type { CallRow, ConversationRow, LedgerReport, RecordingRow } from "./report.ts";

/**
 * A volume of an account's ledger, `<account>/<first day>`: what happened in the calls and conversations whose ids are
 * of its days, kept for years; and the counters over them.
 */
export class AccountLedger extends DurableObject<Env> {
  readonly #volume = volumeOf(this.ctx);
  readonly #frame = new ObjectFrame({
    storage: this.ctx.storage,
    migrations: LEDGER_MIGRATIONS,
    build: (sql) => ({ outbox: this.#buildOutbox(sql) }),
    report: (error) => logError("ledger", error),
  });
  #records: LedgerRecords | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (this.#frame.existing) ctx.blockConcurrencyWhile(() => this.#frame.resume());
  }

  #buildOutbox(sql: SqlStorage): Outbox<LedgerDestination> {
    const { account } = this.#volume;
    return new Outbox({
      sql,
      deliver: { events: (rows) => accountEvents(this.env, account).take(rows.map(({ body }) => JSON.parse(body))) },
    });
  }

  #open(): LedgerRecords {
    this.#records ??= new LedgerRecords({ storage: this.ctx.storage, outbox: this.#frame.open().outbox });
    return this.#records;
  }

  /** Null where the volume holds nothing. */
  get #existing(): LedgerRecords | null {
    return this.#frame.existing && this.#open();
  }

  /** Takes up to 500 reports in, all or none. */
  async report(reports: LedgerReport[]): Promise<void> {
    this.#open().take(reports);
    await this.#frame.arm();
  }

  async call(id: string): Promise<CallRow | null> {
    return this.#existing?.call(id) ?? null;
  }

  async conversation(id: string): Promise<ConversationRow | null> {
    return this.#existing?.conversation(id) ?? null;
  }

  async recording(id: string): Promise<RecordingRow | null> {
    return this.#existing?.recording(id) ?? null;
  }

  override async alarm(): Promise<void> {
    await this.#frame.round();
  }
}

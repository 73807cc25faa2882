import { DurableObject } from "cloudflare:workers";
import pMap from "p-map";
import { armNoLaterThan, nextAlarm } from "../durable/alarm.ts";
import { hasTable, type Migration, migrate } from "../durable/migrate.ts";
import { signText } from "../secrets/tokens.ts";
import { isTerminal } from "./call-status.ts";
import type { CallEvent, CallOrder } from "./carrier.ts";
import { SANDBOX_RECORDING_MS } from "./sandbox-recording.ts";
import { type Moment, momentAt, type Script, sandboxScript } from "./sandbox-script.ts";

/** What the sandbox's webhooks are signed for. */
export const SANDBOX_WEBHOOK = "sandbox-webhook";
/** Reports sent at a time, and taken up by one look at the clock. */
const REPORT_CONCURRENCY = 16;
const REPORTS_A_RUN = 256;
const MAX_TRIES = 6;
/** Ended calls can be looked up for this long, ms. */
const KEPT_MS = 3_600_000;

/** A call to play; `to_number` is the other side's, which chooses how it goes. */
export type SandboxOrder = Pick<CallOrder, "call_id" | "to_number" | "webhook_url"> & { provider_call_id: string };
type CallRow = SandboxOrder & { placed_at: number; hung_up_at: number | null };
type ReportRow = { n: number; call_id: string; webhook_url: string; body: string; tries: number };

/** The sandbox's schema, step by step; the first adopts the tables of the time before steps were recorded. */
const SANDBOX_MIGRATIONS: readonly Migration[] = [
  {
    id: "first-tables",
    sql: `
      CREATE TABLE IF NOT EXISTS calls (
        call_id TEXT PRIMARY KEY, provider_call_id TEXT NOT NULL, to_number TEXT NOT NULL, webhook_url TEXT NOT NULL,
        placed_at INTEGER NOT NULL, hung_up_at INTEGER
      );
      CREATE INDEX IF NOT EXISTS calls_placed ON calls (placed_at);
      CREATE TABLE IF NOT EXISTS reports (
        n INTEGER PRIMARY KEY AUTOINCREMENT, call_id TEXT NOT NULL, due_at INTEGER NOT NULL, body TEXT NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0
      );
      CREATE INDEX IF NOT EXISTS reports_due ON reports (due_at, n);
      CREATE INDEX IF NOT EXISTS reports_call ON reports (call_id);
    `,
  },
];

/**
 * The embedded default carrier: one object per account that plays a carrier on the real clock and reports through the
 * service's own webhook route. Everything is in its storage, so calls go on where they were after a restart.
 */
export class SandboxCarrier extends DurableObject<Env> {
  readonly #sql = this.ctx.storage.sql;
  /** Not before the first call: a sandbox that is only looked at stores nothing. */
  #hasTables = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (!hasTable(ctx.storage, "calls")) return;
    this.#createTables();
    // An alarm can be lost with its process: whoever is built with reports to send arms it again.
    ctx.blockConcurrencyWhile(() => this.#arm());
  }

  #createTables(): void {
    if (this.#hasTables) return;
    migrate(this.ctx.storage, SANDBOX_MIGRATIONS, Date.now());
    this.#hasTables = true;
  }

  /** Takes a call, or false where the script has it refused. The same call twice is one call. */
  async place(order: SandboxOrder): Promise<boolean> {
    const script = this.#script(order.to_number);
    if (!script) return false;
    const now = Date.now();
    this.#createTables();
    if (this.#call(order.call_id)) return true;
    this.#sql.exec(
      "INSERT INTO calls (call_id, provider_call_id, to_number, webhook_url, placed_at) VALUES (?, ?, ?, ?, ?)",
      order.call_id,
      order.provider_call_id,
      order.to_number,
      order.webhook_url,
      now,
    );
    for (const report of script.reports) this.#schedule(order, report, now + report.after);
    await this.#arm();
    return true;
  }

  /** What the call does right now, null for one it never took. */
  look(callId: string): CallEvent | null {
    const call = this.#call(callId);
    if (!call) return null;
    const now = Date.now();
    const moment = this.#momentOf(call, Math.min(now, call.hung_up_at ?? now));
    if (call.hung_up_at === null || isTerminal(moment.status)) return toEvent(call, moment);
    return toEvent(call, hungUp(moment));
  }

  /** Ends the call; one that is over or was never there is left alone. */
  async hangUp(callId: string): Promise<void> {
    const call = this.#call(callId);
    const now = Date.now();
    if (!call || call.hung_up_at !== null) return;
    const moment = this.#momentOf(call, now);
    if (isTerminal(moment.status)) return;
    this.#sql.exec("UPDATE calls SET hung_up_at = ? WHERE call_id = ?", now, callId);
    this.#sql.exec("DELETE FROM reports WHERE call_id = ?", callId);
    this.#schedule(call, hungUp(moment), now);
    await this.#arm();
  }

  override async alarm(): Promise<void> {
    try {
      const now = Date.now();
      const due = this.#sql
        .exec<ReportRow>(
          `SELECT r.n, r.call_id, r.body, r.tries, c.webhook_url FROM reports r JOIN calls c ON c.call_id = r.call_id
           WHERE r.due_at <= ? ORDER BY r.due_at, r.n LIMIT ?`,
          now,
          REPORTS_A_RUN,
        )
        .toArray();
      // Reports of one call go one after the other, those of different calls side by side.
      const send = async (reports: ReportRow[]) => {
        for (const report of reports) await this.#report(report);
      };
      await pMap(Map.groupBy(due, ({ call_id }) => call_id).values(), send, { concurrency: REPORT_CONCURRENCY });
      this.#sql.exec(
        "DELETE FROM calls WHERE placed_at < ? AND call_id NOT IN (SELECT call_id FROM reports)",
        now - KEPT_MS - Number(this.env.SANDBOX_RING_MS) - Number(this.env.SANDBOX_TALK_MS),
      );
    } finally {
      await this.#arm();
    }
  }

  async #report({ n, webhook_url, body, tries }: ReportRow): Promise<void> {
    if (await this.#deliver(webhook_url, body)) {
      this.#sql.exec("DELETE FROM reports WHERE n = ?", n);
    } else if (tries + 1 >= MAX_TRIES) {
      this.#sql.exec("DELETE FROM reports WHERE n = ?", n);
    } else {
      this.#sql.exec("UPDATE reports SET tries = tries + 1, due_at = ? WHERE n = ?", Date.now() + 500 * 2 ** tries, n);
    }
  }

  /** Posts a report to the service as any carrier would; false where it should be tried again. */
  async #deliver(url: string, body: string): Promise<boolean> {
    try {
      const signature = await signText(this.env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${url}\n${body}`);
      const headers = { "content-type": "application/json", "x-sandbox-signature": signature };
      const { status } = await this.ctx.exports.default.fetch(new Request(url, { method: "POST", headers, body }));
      return status < 500 && status !== 429;
    } catch {
      return false;
    }
  }

  #schedule(call: SandboxOrder, moment: Moment, at: number): void {
    const body = JSON.stringify(toEvent(call, moment));
    this.#sql.exec("INSERT INTO reports (call_id, due_at, body) VALUES (?, ?, ?)", call.call_id, at, body);
  }

  async #arm(): Promise<void> {
    const { at } = this.#sql.exec<{ at: number | null }>("SELECT min(due_at) at FROM reports").one();
    await armNoLaterThan(this.ctx.storage, nextAlarm([at], Date.now() + 1));
  }

  #call(callId: string): CallRow | undefined {
    if (!this.#hasTables) return undefined;
    return this.#sql.exec<CallRow>("SELECT * FROM calls WHERE call_id = ?", callId).toArray()[0];
  }

  #momentOf(call: CallRow, at: number): Moment {
    const script = this.#script(call.to_number) ?? { timeline: [], reports: [] };
    return momentAt(script, at - call.placed_at);
  }

  #script(toNumber: string): Script | null {
    return sandboxScript(toNumber, Number(this.env.SANDBOX_RING_MS), Number(this.env.SANDBOX_TALK_MS));
  }
}

function hungUp(before: Moment): Moment {
  const talking = before.status === "in-progress";
  return { ...before, status: talking ? "completed" : "canceled", reason: "hangup" };
}

function toEvent({ call_id, provider_call_id }: SandboxOrder, moment: Moment): CallEvent {
  const { status, answered_by, reason } = moment;
  const recording =
    status === "completed"
      ? { id: call_id, url: "", duration_ms: SANDBOX_RECORDING_MS, content_type: "audio/wav" }
      : null;
  return { provider_call_id, status, answered_by, reason, recording };
}

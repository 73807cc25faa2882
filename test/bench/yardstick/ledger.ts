/** Runs the service, which on request also fills an account's ledger, and a table of the same rows in D1. */
import service from "../../../src/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import { derivedId } from "../../../src/kernel/instant-ids.ts";
import { AccountLedger as Deployed } from "../../../src/records/ledger/account-ledger.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { LEDGER_MIGRATIONS } from "../../../src/records/ledger/migrations.ts";
import type { CallLine, LedgerReport } from "../../../src/records/ledger/report.ts";
import { Rows } from "../../../src/records/ledger/rows.ts";
import { calls as callTable } from "../../../src/records/ledger/schema.ts";
import type { LedgerSize } from "../ledger-size.ts";

export * from "../../../src/index.ts";

const BATCH = 500;
/** The counters have this many agents times this many campaigns per hour. */
const [AGENTS, CAMPAIGNS] = [4, 7];
const ENDS = [
  ["completed", "answered"],
  ["no-answer", "no_answer"],
  ["busy", "busy"],
  ["completed", "hangup"],
] as const;

/** Number of rows and index entries written by the ledger's statements in this isolate. */
let written = 0;

/** The deployed object, extended to report its size and writes. */
export class AccountLedger extends Deployed {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    const prototype = Object.getPrototypeOf(sql);
    const { exec } = prototype;
    prototype.exec = function (this: SqlStorage, ...args: Parameters<SqlStorage["exec"]>) {
      const cursor = exec.apply(this, args);
      if (this === sql) written += cursor.rowsWritten;
      return cursor;
    };
  }

  async size(): Promise<LedgerSize> {
    const { sql } = this.ctx.storage;
    const { owed } = sql.exec<{ owed: number }>("SELECT count(*) AS owed FROM outbox").one();
    return { bytes: sql.databaseSize, written, owed };
  }
}

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    const number = (name: string) => Number(searchParams.get(name));
    const account = searchParams.get("account") ?? "";
    const span = { first: number("first"), count: number("count"), of: number("of"), since: number("since") };
    if (pathname === "/bench/ledger") return Response.json({ ms: await fillLedger(env, account, span) });
    if (pathname === "/bench/d1") return Response.json({ ms: await fillD1(env, span) });
    if (pathname === "/bench/d1/read") return Response.json({ ms: await readD1(env, searchParams.get("which") ?? "") });
    if (pathname === "/bench/size") {
      const day = searchParams.get("day") ?? "";
      const volume = ledgerVolume(env, account, day) as DurableObjectStub<AccountLedger>;
      return Response.json(await volume.size());
    }
    return service.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;

/** Some of the calls of a month that ends now. */
interface Span {
  first: number;
  count: number;
  of: number;
  /** When the month began, ms. */
  since: number;
}

const MONTH_MS = 30 * 24 * 3_600_000;

function callAt(n: number, { of, since }: Span) {
  const at = since + Math.floor((n / of) * MONTH_MS);
  const [status, end_reason] = ENDS[n % ENDS.length] ?? ENDS[0];
  const started: CallLine = {
    direction: "outbound",
    status: "initiated",
    agent_id: derivedId(since, "agent", n % AGENTS),
    agent_version: null,
    campaign_id: derivedId(since, "campaign", Math.floor(n / AGENTS) % CAMPAIGNS),
    contact_id: derivedId(since, "contact", n),
    api_key_id: null,
    from_number: "+12025550100",
    to_number: `+1303${4_000_000 + n}`,
    provider: "sandbox",
    credentials_id: derivedId(since, "credentials"),
    provider_call_id: `CA${String(n).padStart(32, "0")}`,
    end_reason: null,
    started_at: new Date(at).toISOString(),
    connected_at: null,
    ended_at: null,
    recorded: true,
    voicemail: null,
    message: null,
    message_until: null,
    metadata: {},
    variables: { name: `Person ${n}` },
    own_metadata: {},
    disclosure: null,
  };
  const connected_at = status === "completed" ? new Date(at + 5_000).toISOString() : null;
  const over = { status, end_reason, connected_at, ended_at: new Date(at + 65_000).toISOString() };
  return { id: derivedId(at, "call", n), started, ended: Object.assign({}, started, over) };
}

/** Reports each call twice, when it starts and when it is over, as a campaign does. */
async function fillLedger(env: Env, account: string, span: Span): Promise<number> {
  const ledger = new Ledger({ env, store: accountStore(env, account, { actor: "system:bench", request_id: "" }) });
  const began = Date.now();
  for (let n = span.first; n < span.first + span.count; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, span.first + span.count - n) }, (_, i) => callAt(n + i, span));
    const part = "line" as const;
    await ledger.report(batch.map(({ id, started }): LedgerReport => ({ part, id, revision: 1, line: started })));
    await ledger.report(batch.map(({ id, ended }): LedgerReport => ({ part, id, revision: 2, line: ended })));
  }
  return Date.now() - began;
}

/** Writes the same rows with the same indexes to D1, each once and in its final state. */
async function fillD1({ DB }: Env, span: Span): Promise<number> {
  const steps = (LEDGER_MIGRATIONS[0]?.sql ?? "").split(";").map((text) => text.trim());
  const own = steps.filter((text) => /^CREATE (TABLE calls |INDEX calls_)/.test(text));
  for (const text of own) {
    const bench = text
      .replace(/^CREATE (TABLE|INDEX) /, "CREATE $1 IF NOT EXISTS bench_")
      .replace(" ON calls", " ON bench_calls");
    await DB.prepare(bench).run();
  }
  const began = Date.now();
  for (let n = span.first; n < span.first + span.count; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, span.first + span.count - n) }, (_, i) => callAt(n + i, span));
    const rows = batch.map(({ id, ended }) => {
      const others = { conversation_id: null, transferred_to: null, recording_id: null };
      const flags = { hangup_requested: false, uncounted: false };
      const undisclosed = { disclosed: null, disclosed_at: null };
      const created_at = ended.started_at ?? "";
      return stored(Object.assign({ id, line_revision: 2, stage: 3, created_at }, ended, others, flags, undisclosed));
    });
    const names = Object.keys(rows[0] ?? {});
    const values = names.map((_, i) => `value ->> ${i}`).join(", ");
    await DB.prepare(`INSERT INTO bench_calls (${names.join(", ")}) SELECT ${values} FROM json_each(?)`)
      .bind(JSON.stringify(rows.map((row) => Object.values(row))))
      .run();
  }
  return Date.now() - began;
}

function stored(row: typeof callTable.$inferSelect): Record<string, SqlStorageValue> {
  let values: SqlStorageValue[] = [];
  let names: string[] = [];
  const sql = {
    exec: (query: string, ...bound: SqlStorageValue[]) => {
      names = (/\((.*?)\)/.exec(query)?.[1] ?? "").split(", ");
      values = bound;
    },
  };
  new Rows(sql as unknown as SqlStorage, callTable).put(null, row);
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
}

const READS: Record<string, string> = {
  page: "SELECT * FROM bench_calls ORDER BY id DESC LIMIT 100",
  number: "SELECT * FROM bench_calls WHERE to_number = '+13034000007' ORDER BY id DESC LIMIT 100",
  statistics:
    "SELECT substr(created_at, 1, 10), status, end_reason, count(*) FROM bench_calls GROUP BY 1, 2, 3 ORDER BY 1",
};

async function readD1({ DB }: Env, which: string): Promise<number> {
  const began = Date.now();
  await DB.prepare(READS[which] ?? "").all();
  return Date.now() - began;
}

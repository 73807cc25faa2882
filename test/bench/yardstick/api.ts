/** The yardstick of the API: it makes the round trips of a request to objects and D1 and returns a ready answer. */
import { DurableObject } from "cloudflare:workers";
import type { Plan, Trip } from "./trips.ts";

interface Bindings {
  DB: D1Database;
  BARE_GATE: DurableObjectNamespace<BareGate>;
}

/** About as long as an agent. */
const ROW_CHARS = 600;
const ROWS = 100;
const plans = new Map<string, Plan>();
let gateId: DurableObjectId | undefined;

export class BareGate extends DurableObject<Bindings> {
  readonly #known = new Map([["key", { outcome: "ok", keyId: "1" }]]);

  admit(key: string) {
    return this.#known.get(key);
  }

  write(): void {
    this.ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS leases (id TEXT PRIMARY KEY, at INTEGER NOT NULL)");
    this.ctx.storage.sql.exec("INSERT INTO leases VALUES (?, ?)", crypto.randomUUID(), Date.now());
  }
}

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    if (request.method === "PUT") return prepare(await request.json(), env);
    const name = request.url.slice(request.url.lastIndexOf("/") + 1);
    const plan = plans.get(name);
    if (!plan) return new Response(null, { status: 500 });
    for (const trip of plan.trips) await make(trip, env);
    return new Response(plan.answer, { status: plan.status, headers: { "content-type": "application/json" } });
  },
};

async function prepare(sent: Record<string, Plan>, { DB }: Bindings): Promise<Response> {
  for (const [name, plan] of Object.entries(sent)) plans.set(name, plan);
  await DB.batch([
    DB.prepare("CREATE TABLE items (account TEXT, id TEXT, body TEXT, PRIMARY KEY (account, id))"),
    DB.prepare("CREATE TABLE written (account TEXT, id TEXT, body TEXT, PRIMARY KEY (account, id))"),
    DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
       INSERT INTO items SELECT 'bench', i, substr(hex(zeroblob(${ROW_CHARS})), 1, ${ROW_CHARS}) FROM n`,
    ),
  ]);
  return new Response(null, { status: 204 });
}

function make(trip: Trip, { DB, BARE_GATE }: Bindings): Promise<unknown> {
  if (trip.to === "object") {
    gateId ??= BARE_GATE.newUniqueId();
    const gate = BARE_GATE.get(gateId);
    return "writes" in trip ? gate.write() : gate.admit("key");
  }
  const statements =
    "reads" in trip
      ? Array.from({ length: trip.reads }, () =>
          DB.prepare("SELECT id, body FROM items WHERE account = ? ORDER BY id LIMIT ?").bind("bench", trip.rows),
        )
      : Array.from({ length: trip.writes }, () =>
          DB.prepare("INSERT INTO written VALUES (?, ?, ?)").bind("bench", crypto.randomUUID(), "x"),
        );
  return DB.batch(statements);
}

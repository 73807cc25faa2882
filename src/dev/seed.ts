import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { SCOPES } from "../kernel/scopes.ts";
import { sha256Hex } from "../kernel/secrets/hashing.ts";
import { hashPassword } from "../kernel/secrets/passwords.ts";
import { ApiClient, type Fetch, UnexpectedAnswer } from "./client.ts";
import { ACME, ACME_AGENT, ACME_NUMBER, OPERATOR, PASSWORD, TENANTS } from "./demo-data.ts";
import type { LocalDatabase } from "./migrate.ts";
import { DEMO_KEY } from "./paths.ts";

/** Creates the first operator, which no API call can do. */
export function seedOperator(db: LocalDatabase): Promise<void> {
  return seedUser(db, OPERATOR, "Operator");
}

/** Creates a user with the demo password, which is shorter than the API allows. */
async function seedUser(
  db: LocalDatabase,
  { account, email }: { account: string; email: string },
  name: string,
): Promise<void> {
  const existing = db.prepare("SELECT id FROM users WHERE account = ? AND email = ?").bind(account, email);
  if (await existing.first()) return;
  await db
    .prepare("INSERT INTO users (account, id, email, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?, ?)")
    .bind(account, uuidv7(), email, name, await hashPassword(PASSWORD), new Date().toISOString())
    .run();
}

/** Whether all demo data exists and the last run's API key is still valid. */
export async function isSeeded(db: LocalDatabase): Promise<boolean> {
  const key = await demoKey();
  const people = [...TENANTS, OPERATOR];
  const users = people.map(() => "(?, ?)").join(", ");
  const row = await db
    .prepare(
      `SELECT (SELECT count(*) FROM users WHERE (account, email) IN (VALUES ${users})) AS users,
        EXISTS (SELECT 1 FROM phone_numbers WHERE account = ? AND e164 = ?) AS number,
        EXISTS (SELECT 1 FROM agents WHERE account = ? AND status = 'active') AS agent,
        EXISTS (SELECT 1 FROM api_keys WHERE account = ? AND hash = ? AND disabled_at IS NULL
          AND coalesce(expires_at > ?, TRUE)) AS key`,
    )
    .bind(
      ...people.flatMap(({ account, email }) => [account, email]),
      ACME.account,
      ACME_NUMBER,
      ACME.account,
      ACME.account,
      await sha256Hex(key),
      new Date().toISOString(),
    )
    .first<{ users: number; number: number; agent: number; key: number }>();
  return row?.users === people.length && Boolean(row.number && row.agent && row.key);
}

/** The demo account's API key, empty before there is one. */
export async function demoKey(): Promise<string> {
  return (await readFile(DEMO_KEY, "utf8").catch(() => "")).trim();
}

/** Creates the missing demo data through the API; users alone are written to the database. */
export async function seed(base: string, fetch: Fetch, db: LocalDatabase): Promise<void> {
  const anonymous = new ApiClient(base, fetch);
  const operator = await anonymous.signIn(OPERATOR);
  for (const { account, email, ...settings } of TENANTS) {
    await unlessThere(operator.post("/api/admin/v1/accounts", { name: account, listed: true, ...settings }));
    await seedUser(db, { account, email }, `${settings.display_name} owner`);
  }
  const owner = await anonymous.signIn(ACME);
  const agents = await owner.get<{ id: string; status: string }[]>("/api/v1/agents");
  const active = agents.find(({ status }) => status === "active");
  const agent = active ?? (await owner.post<{ id: string }>("/api/v1/agents", ACME_AGENT));
  const number = { e164: ACME_NUMBER, provider: "sandbox", agent_id: agent.id };
  await unlessThere(owner.post("/api/v1/telephony/numbers", number));
  await ensureKey(owner, new ApiClient(base, fetch, { authorization: `Bearer ${await demoKey()}` }));
}

async function ensureKey(owner: ApiClient, holder: ApiClient): Promise<void> {
  const good = await holder.get("/api/v1/api-keys").then(
    () => true,
    () => false,
  );
  if (good) return;
  const { key } = await owner.post<{ key: string }>("/api/v1/api-keys", { name: "Local development", scopes: SCOPES });
  await mkdir(dirname(DEMO_KEY), { recursive: true });
  await writeFile(DEMO_KEY, `${key}\n`, { mode: 0o600 });
}

/** Ignores a 400: a second run meets duplicates. */
async function unlessThere(request: Promise<unknown>): Promise<void> {
  await request.catch((error) => {
    if (!(error instanceof UnexpectedAnswer) || error.status !== 400) throw error;
  });
}

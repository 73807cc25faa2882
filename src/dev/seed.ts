import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { Switchboard, SwitchboardError } from "../../packages/sdk/src/index.ts";
import { SCOPES } from "../kernel/scopes.ts";
import { sha256Hex } from "../kernel/secrets/hashing.ts";
import { hashPassword } from "../kernel/secrets/passwords.ts";
import { ACME, ACME_AGENT, ACME_NUMBER, OPERATOR, PASSWORD, TENANTS } from "./demo-data.ts";
import type { LocalDatabase } from "./migrate.ts";
import { DEMO_KEY } from "./paths.ts";
import { type Fetch, shown, signIn } from "./sign-in.ts";

/** Creates the first operator, which is impossible through the API. */
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

/** Checks whether all demo data exists and the API key of the last run is still valid. */
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

/** Returns the demo account's API key; "" if there is none yet. */
export async function demoKey(): Promise<string> {
  return (await readFile(DEMO_KEY, "utf8").catch(() => "")).trim();
}

/** Creates the missing demo data through the API; only users are written to the database. */
export async function seed(base: string, fetch: Fetch, db: LocalDatabase): Promise<void> {
  const operator = await signIn(base, OPERATOR, fetch);
  for (const { account, email, ...settings } of TENANTS) {
    const body = { name: account, listed: true, ...settings };
    await unlessThere(operator.request("POST", "/api/admin/v1/accounts", { body }));
    await seedUser(db, { account, email }, `${settings.display_name} owner`);
  }
  const owner = await signIn(base, ACME, fetch);
  const agents = await owner.agents.list().toArray();
  const active = agents.find(({ status }) => status === "active");
  const agent = active ?? (await owner.agents.create(ACME_AGENT));
  await unlessThere(owner.numbers.create({ e164: ACME_NUMBER, provider: "sandbox", agent_id: agent.id }));
  await ensureKey(owner, new Switchboard({ baseUrl: base, apiKey: await demoKey(), fetch }));
}

async function ensureKey(owner: Switchboard, holder: Switchboard): Promise<void> {
  const keys = holder.apiKeys.list();
  const good = await keys.page().then(
    () => true,
    () => false,
  );
  if (good) return;
  const key = shown(await owner.apiKeys.create({ name: "Local development", scopes: [...SCOPES] }));
  await mkdir(dirname(DEMO_KEY), { recursive: true });
  await writeFile(DEMO_KEY, `${key}\n`, { mode: 0o600 });
}

/** Ignores a 400, which the service answers if an earlier run has created the same thing. */
async function unlessThere(request: Promise<unknown>): Promise<void> {
  await request.catch((error) => {
    if (!(error instanceof SwitchboardError) || error.status !== 400) throw error;
  });
}

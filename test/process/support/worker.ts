import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestHarness } from "wrangler";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";

const root = join(import.meta.dirname, "../../..");

export interface RunningWorker {
  origin: string;
  signingKeys: string;
  /** What a new console user of the account sends with each request; `service-admin` makes it an operator. */
  signIn(account: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** The Worker as it is deployed, on a port of its own, with a migrated, empty database. */
export async function startWorker(vars: Record<string, string>): Promise<RunningWorker> {
  const secrets = await freshSecrets();
  const workers = (PUBLIC_URL: string) => {
    const configPath = join(root, "wrangler.toml");
    return [{ configPath, secrets, vars: { RATE_LIMITS: "off", PUBLIC_URL, ...vars } }];
  };
  const harness = createTestHarness({ root, workers: workers("") });
  // Its port is known once it listens; what it is told then leaves it there.
  const { url } = await harness.listen();
  await harness.update({ root, workers: workers(url.origin) });
  const database = await harness.getWorker<Database & Record<string, unknown>>().getEnv();
  await migrate(database);
  const signingKeys = secrets.SIGNING_KEYS;
  const signIn = async (account: string) => {
    const id = crypto.randomUUID();
    await database.DB.prepare(
      "INSERT INTO users (account, id, email, password_hash, created_at) VALUES (?, ?, ?, '', ?)",
    )
      .bind(account, id, `${id}@${account}.example`, new Date().toISOString())
      .run();
    const token = await signToken(signingKeys, "console", { sub: id, accounts: [account] }, 3600, Date.now());
    return { authorization: `Bearer ${token}`, "x-account-id": account };
  };
  return { origin: url.origin, signingKeys, signIn, stop: () => harness.close() };
}

interface Statement {
  bind(...values: string[]): Statement;
  run(): Promise<unknown>;
}
interface Database {
  DB: { prepare(sql: string): Statement };
}

async function migrate({ DB }: Database): Promise<void> {
  const folder = join(root, "migrations");
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()) {
    const sql = await readFile(join(folder, file), "utf8");
    for (const statement of sql.split("--> statement-breakpoint")) await DB.prepare(statement).run();
  }
}

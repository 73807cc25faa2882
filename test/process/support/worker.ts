import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestHarness } from "wrangler";
import { freshSecrets } from "../../../src/dev/secrets.ts";

const root = join(import.meta.dirname, "../../..");

export interface RunningWorker {
  origin: string;
  signingKeys: string;
  stop(): Promise<void>;
}

/** The Worker as it is deployed, on a port of its own, with a migrated, empty database. */
export async function startWorker(vars: Record<string, string>): Promise<RunningWorker> {
  const secrets = await freshSecrets();
  const harness = createTestHarness({
    root,
    workers: [{ configPath: join(root, "wrangler.toml"), secrets, vars: { RATE_LIMITS: "off", ...vars } }],
  });
  const { url } = await harness.listen();
  await migrate(await harness.getWorker<Database & Record<string, unknown>>().getEnv());
  return { origin: url.origin, signingKeys: secrets.SIGNING_KEYS, stop: () => harness.close() };
}

interface Database {
  DB: { prepare(sql: string): { run(): Promise<unknown> } };
}

async function migrate({ DB }: Database): Promise<void> {
  const folder = join(root, "migrations");
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()) {
    const sql = await readFile(join(folder, file), "utf8");
    for (const statement of sql.split("--> statement-breakpoint")) await DB.prepare(statement).run();
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../bundle.ts";
import { ApiClient } from "../client.ts";
import { LONG_PASSWORD, OPERATOR } from "../demo-data.ts";
import { migrate } from "../migrate.ts";
import { startRuntime } from "../runtime.ts";
import { freshSecrets } from "../secrets.ts";
import { seedOperator } from "../seed.ts";
import { MemoryWatch } from "./memory.ts";

const HOST = "127.0.0.1";
const ACCOUNT = "bench";
const NUMBER = "+12025550100";
/** No cap gets in the way. */
const CAPS = { concurrent_calls: 1_000_000, calls_per_minute: 1_000_000, calls_per_day: 1_000_000 };

/** The service on a state of its own, with one account that nothing limits. */
export interface Service {
  base: string;
  /** The account's API key as headers. */
  headers: Record<string, string>;
  client: ApiClient;
  memory: MemoryWatch;
  /** A folder that goes with it. */
  stateDir: string;
  /** Makes a campaign of a contact list, ready to start. */
  upload(file: Blob, settings?: Record<string, string>): Promise<{ id: string }>;
  stop(): Promise<void>;
}

/** Starts the built Worker as `npm start` does. */
export async function startService(vars: Record<string, string> = {}): Promise<Service> {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-bench-"));
  const script = await bundleWorker();
  const database = await startRuntime({ stateDir });
  const db = await database.getD1Database("DB");
  await migrate(db);
  await seedOperator(db);
  await database.dispose();
  const memory = new MemoryWatch();
  const runtime = await startRuntime({
    script,
    stateDir,
    listen: { host: HOST, port: 0 },
    inspectorPort: 0,
    variables: { ...(await freshSecrets()), RATE_LIMITS: "off", EMBEDDED_LOGIN: "on", ...vars },
  });
  await memory.attach((await runtime.getInspectorURL()).href);
  const base = (await runtime.unsafeGetDirectURL()).origin;
  const { client, headers } = await openAccount(base);
  const agent = await client.post<{ id: string }>("/api/v1/agents", { name: "Bench", status: "active" });
  await client.post("/api/v1/telephony/numbers", { e164: NUMBER, provider: "sandbox" });
  return {
    base,
    headers,
    client,
    memory,
    stateDir,
    upload(file, settings) {
      const form = new FormData();
      form.set("contacts", new File([file], "contacts.csv", { type: "text/csv" }));
      for (const [name, value] of Object.entries({ agent_id: agent.id, from_number: NUMBER, ...settings })) {
        form.set(name, value);
      }
      return client.upload<{ id: string }>("/api/v1/campaigns", form);
    },
    async stop() {
      await runtime.dispose();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

async function openAccount(base: string): Promise<Pick<Service, "client" | "headers">> {
  const anybody = new ApiClient(base, fetch);
  const operator = await anybody.signIn(OPERATOR);
  await operator.post("/api/admin/v1/accounts", { name: ACCOUNT, display_name: "Bench", plan: "scale", caps: CAPS });
  const email = "bench@switchboard.example";
  await operator.post(`/api/admin/v1/accounts/${ACCOUNT}/users`, { email, password: LONG_PASSWORD });
  const owner = await anybody.signIn({ account: ACCOUNT, email }, LONG_PASSWORD);
  const { key } = await owner.post<{ key: string }>("/api/v1/api-keys", { name: "Bench" });
  const headers = { authorization: `Bearer ${key}` };
  return { headers, client: new ApiClient(base, fetch, headers) };
}

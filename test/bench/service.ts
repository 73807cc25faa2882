import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../src/dev/bundle.ts";
import { ApiClient } from "../../src/dev/client.ts";
import { LONG_PASSWORD, OPERATOR } from "../../src/dev/demo-data.ts";
import { migrate } from "../../src/dev/migrate.ts";
import { addressOf, startRuntime, type Variables } from "../../src/dev/runtime.ts";
import { freshSecrets } from "../../src/dev/secrets.ts";
import { seedOperator } from "../../src/dev/seed.ts";
import { Inspector } from "./inspector.ts";
import { MemoryWatch } from "./memory.ts";

const HOST = "127.0.0.1";
const ACCOUNT = "bench";
const NUMBER = "+12025550100";
/** Caps high enough to have no effect. */
const CAPS = { concurrent_calls: 1_000_000, calls_per_minute: 1_000_000, calls_per_day: 1_000_000 };
const QUOTAS = { agents: 1_000_000 };

/** An account without limits. */
export interface Account {
  /** Its API key as headers. */
  headers: Record<string, string>;
  /** A client that uses the key. */
  client: ApiClient;
  /** A console user. */
  owner: ApiClient;
}

/** A service on its own state, with one account. */
export interface Service extends Account {
  base: string;
  memory: MemoryWatch;
  /** The built main module and its configuration. */
  script: string;
  variables: Variables;
  /** The keys that sign its tokens. */
  signingKeys: string;
  /** Null without an inspector. */
  inspector: Inspector | null;
  /** The folder of its state. */
  stateDir: string;
  /** Creates a campaign from a contact list, ready to start. */
  upload(file: Blob, settings?: Record<string, string>): Promise<{ id: string }>;
  /** Creates another account. */
  openAccount(name: string): Promise<Account>;
  /** Stops the service and keeps its state. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

interface Started {
  /** Replaces the built Worker. */
  main?: string;
  /** Changes the built main module before it is served. */
  rewrite?: (script: string) => Promise<void>;
  /** Whether to start an inspector, which slows every request down. */
  inspected?: boolean;
}

/** Starts the built Worker as `npm start` does. */
export async function startService(
  vars: Record<string, string> = {},
  { main, rewrite, inspected = true }: Started = {},
): Promise<Service> {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-bench-"));
  const script = await bundleWorker(main === undefined ? {} : { main, outdir: join(stateDir, "worker") });
  await rewrite?.(script);
  const database = await startRuntime({ stateDir });
  const db = await database.getD1Database("DB");
  await migrate(db);
  await seedOperator(db);
  await database.dispose();
  const memory = new MemoryWatch();
  const secrets = await freshSecrets();
  const PUBLIC_URL = `http://${HOST}`;
  const local = { RATE_LIMITS: "off", REQUEST_LINES: "off", EMBEDDED_LOGIN: "on", OPERATOR_SECOND_FACTOR: "off" };
  const settings = Object.assign(local, { SANDBOX_CONVERSATION: "off" });
  const variables = { ...secrets, PUBLIC_URL, ...settings, ...vars };
  const runtime = await startRuntime({
    script,
    stateDir,
    listen: { host: HOST, port: 0 },
    ...(inspected && { inspectorPort: 0 }),
    variables,
  });
  const inspector = inspected ? await Inspector.connect((await runtime.getInspectorURL()).href) : null;
  const base = (await addressOf(runtime)).origin;
  const { client, headers, owner } = await openAccount(base, ACCOUNT);
  const agent = await client.post<{ id: string }>("/api/v1/agents", { name: "Bench", status: "active" });
  await client.post("/api/v1/telephony/numbers", { e164: NUMBER, provider: "sandbox" });
  return {
    base,
    headers,
    client,
    owner,
    memory,
    script,
    variables,
    signingKeys: secrets.SIGNING_KEYS,
    inspector,
    stateDir,
    openAccount: (name) => openAccount(base, name),
    upload(file, settings) {
      const form = new FormData();
      form.set("contacts", new File([file], "contacts.csv", { type: "text/csv" }));
      for (const [name, value] of Object.entries({ agent_id: agent.id, from_number: NUMBER, ...settings })) {
        form.set(name, value);
      }
      return client.upload<{ id: string }>("/api/v1/campaigns", form);
    },
    halt: () => runtime.dispose(),
    async stop() {
      await runtime.dispose().catch(() => undefined);
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

async function openAccount(base: string, name: string): Promise<Account> {
  const anybody = new ApiClient(base, fetch);
  const operator = await anybody.signIn(OPERATOR);
  await operator.post("/api/admin/v1/accounts", {
    name,
    display_name: "Bench",
    plan: "scale",
    caps: CAPS,
    quotas: QUOTAS,
  });
  const email = `${name}@switchboard.example`;
  await operator.post(`/api/admin/v1/accounts/${name}/users`, { email, password: LONG_PASSWORD });
  const owner = await anybody.signIn({ account: name, email }, LONG_PASSWORD);
  const { key } = await owner.post<{ key: string }>("/api/v1/api-keys", { name: "Bench" });
  const headers = { authorization: `Bearer ${key}` };
  return { headers, client: new ApiClient(base, fetch, headers), owner };
}

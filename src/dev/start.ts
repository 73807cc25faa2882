/** `npm start`: the whole service on this machine, from a fresh clone to a seeded API, with no question asked. */
import { createServer } from "node:net";
import { banner } from "./banner.ts";
import { bundleWorker } from "./bundle.ts";
import type { Fetch } from "./client.ts";
import { migrate } from "./migrate.ts";
import { leaveNoOrphans } from "./orphans.ts";
import { DEV_VARS } from "./paths.ts";
import { startRuntime, type Variables, variables } from "./runtime.ts";
import { ensureDevVars } from "./secrets.ts";
import { demoKey, isSeeded, seed, seedOperator } from "./seed.ts";

const HOST = "127.0.0.1";
const began = performance.now();

try {
  await start();
} catch (error) {
  console.error(`switchboard: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function start(): Promise<void> {
  const port = portOf(process.env.PORT || "8787");
  await assertFree(port);
  leaveNoOrphans();
  await ensureDevVars(DEV_VARS);
  const [script, seeded] = await Promise.all([bundleWorker(), prepareDatabase()]);
  const settings = variables(process.env);
  if (!seeded) await seedThrough(script, settings);

  // The address opens only now, so that whoever gets an answer gets it from a service that is ready.
  const runtime = await startRuntime({ script, variables: settings, listen: { host: HOST, port } });
  stopOnSignal(() => runtime.dispose());
  const base = `http://localhost:${port || new URL(await runtime.unsafeGetDirectURL()).port}`;
  console.log(banner({ base, key: await demoKey(), seconds: (performance.now() - began) / 1000 }));
}

/** Migrates the database and tells whether the demo data is there. */
async function prepareDatabase(): Promise<boolean> {
  const runtime = await startRuntime({});
  try {
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    await seedOperator(db);
    return await isSeeded(db);
  } finally {
    await runtime.dispose();
  }
}

/** Seeds by the service itself while nobody else can reach it, with its own sign-in whatever is configured. */
async function seedThrough(script: string, settings: Variables): Promise<void> {
  const signIn = { EMBEDDED_LOGIN: "on", OIDC_ISSUER: "", RATE_LIMITS: "off" };
  const runtime = await startRuntime({ script, variables: { ...settings, ...signIn } });
  try {
    await seed("http://localhost", runtime.dispatchFetch as unknown as Fetch);
  } catch (error) {
    console.error(`switchboard: the demo data is incomplete: ${error instanceof Error ? error.message : error}`);
  } finally {
    await runtime.dispose();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`PORT is ${text}, not a port number`);
  return port;
}

function assertFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`port ${port} is in use; stop what uses it or start with another: PORT=8788 npm start`)
          : new Error(`port ${port} cannot be used: ${error.message}`),
      ),
    );
    probe.listen(port, HOST, () => probe.close(() => resolve()));
  });
}

function stopOnSignal(stop: () => Promise<void>): void {
  const end = async () => {
    await stop().catch((error) => console.error(error));
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // The runtime's own listener would exit at once with the code of a failure.
    process.removeAllListeners(signal);
    process.once(signal, end);
  }
}

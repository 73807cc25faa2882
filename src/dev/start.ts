/** `npm start` runs the whole service on this machine, from a fresh clone to a seeded API, without a prompt. */
import { setTimeout as sleep } from "node:timers/promises";
import { embeddedLogin } from "../account/auth/embedded-login.ts";
import { QUIET_MS } from "../account/gate/catalogue-version.ts";
import { holdState } from "./backup/held-state.ts";
import { banner } from "./banner.ts";
import { ensureBuilt } from "./builds.ts";
import { failureText } from "./failure.ts";
import { localEnvironment, localSettings } from "./local-settings.ts";
import { migrate } from "./migrate.ts";
import { leaveNoOrphans } from "./orphans.ts";
import { DEV_VARS, STATE_DIR, WORKER } from "./paths.ts";
import { assertFree, assertKeys, assertWritable, freePort, portInUse, portOf } from "./preflight.ts";
import { startRuntime, type Variables, variables } from "./runtime.ts";
import { ensureDevVars } from "./secrets.ts";
import { demoKey, isSeeded, seed, seedOperator } from "./seed.ts";
import type { Fetch } from "./sign-in.ts";

const HOST = "127.0.0.1";
const began = performance.now();

try {
  await start();
} catch (error) {
  console.error(`switchboard: ${failureText(error)}`);
  process.exit(1);
}

async function start(): Promise<void> {
  // The service must know its own address before it listens.
  const port = portOf(process.env.PORT || "8787") || (await freePort());
  await assertFree(port);
  await assertWritable(STATE_DIR);
  await holdState(STATE_DIR);
  await ensureDevVars(DEV_VARS);
  const base = `http://localhost:${port}`;
  const settings = localSettings(await variables(localEnvironment(process.env)), base);
  await assertKeys(settings);
  leaveNoOrphans();
  // Tests that start the service many times build it once.
  const { BUILT_WORKER } = process.env;
  const script = BUILT_WORKER || WORKER;
  const builds = BUILT_WORKER ? [] : [ensureBuilt("worker"), ensureBuilt("assets")];
  await Promise.all([prepareState(script, settings, builds[0]), ...builds]);

  // The service listens only now, so that clients reach it only when it is ready.
  const listen = { host: HOST, port };
  const allLines = settings.REQUEST_LINES === "on";
  const runtime = await startRuntime({ script, variables: settings, listen, allLines }).catch((error) => {
    // Another process took the port after the check.
    throw /address already in use/i.test(String(error)) ? portInUse(port) : error;
  });
  stopOnSignal(() => runtime.dispose());
  const signIn = { passwords: embeddedLogin(settings), issuer: settings.OIDC_ISSUER ?? "" };
  console.log(banner({ base, key: await demoKey(), signIn, seconds: (performance.now() - began) / 1000 }));
}

/** Migrates the database, and creates missing demo data through the service once it is built. */
async function prepareState(script: string, settings: Variables, built: Promise<void> | undefined): Promise<void> {
  // A state without the demo key is new or incomplete.
  if ((await demoKey()) !== "" && (await prepareDatabase())) return;
  await built;
  await seedThrough(script, settings);
}

/** Migrates the database without the service, and returns whether it has the demo data. */
async function prepareDatabase(): Promise<boolean> {
  const runtime = await startRuntime({});
  try {
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    return await isSeeded(db);
  } finally {
    await runtime.dispose();
  }
}

/** Seeds through the service before it listens, using the built-in sign-in whatever is configured. */
async function seedThrough(script: string, settings: Variables): Promise<void> {
  const signIn = { EMBEDDED_LOGIN: "on", OIDC_ISSUER: "", RATE_LIMITS: "off" };
  const runtime = await startRuntime({ script, variables: Object.assign({}, settings, signIn) });
  try {
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    await seedOperator(db);
    await seed("http://localhost", runtime.dispatchFetch as unknown as Fetch, db).catch((error) =>
      console.error(`switchboard: the demo data is incomplete: ${failureText(error)}`),
    );
    // Otherwise the gates would cache no reads for the first minute, because they have not noticed that the writes have
    // ended.
    await sleep(2 * QUIET_MS);
  } finally {
    await runtime.dispose();
  }
}

function stopOnSignal(stop: () => Promise<void>): void {
  const end = async () => {
    await stop().catch((error) => console.error(error));
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // The runtime's own listener would exit at once with a failure code.
    process.removeAllListeners(signal);
    process.once(signal, end);
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type LocalDatabase, migrate } from "../../../src/dev/migrate.ts";
import { freePort } from "../../../src/dev/preflight.ts";
import { startRuntime, variables } from "../../../src/dev/runtime.ts";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { signToken } from "../../../src/kernel/secrets/tokens.ts";
import type {} from "./build-worker.ts";

export interface RunningWorker {
  origin: string;
  signingKeys: string;
  database: LocalDatabase;
  /** Returns the headers of a new console user of the account. A user of `service-admin` is an operator. */
  signIn(account: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the Worker as it is deployed, on its own port, with a migrated, empty database. */
export function startWorker(vars: Record<string, string>): Promise<RunningWorker> {
  return startScript(inject("deployedWorker"), vars);
}

/**
 * Starts the Worker like `startWorker`, but with a given main module, for code outside of tests, where none is
 * injected. With `objectsOf`, its objects are those of another main module.
 */
export async function startScript(
  script: string,
  vars: Record<string, string>,
  objectsOf?: string,
): Promise<RunningWorker> {
  const [secrets, port, stateDir] = await Promise.all([
    freshSecrets(),
    freePort(),
    mkdtemp(join(tmpdir(), "switchboard-worker-")),
  ]);
  const origin = `http://127.0.0.1:${port}`;
  const runtime = await startRuntime({
    script,
    variables: {
      ...(await variables({})),
      ...secrets,
      RATE_LIMITS: "off",
      OPERATOR_SECOND_FACTOR: "off",
      PUBLIC_URL: origin,
      ...vars,
    },
    deployedPort: port,
    stateDir,
    ...(objectsOf !== undefined && { objectsOf }),
  });
  const database = await runtime.getD1Database("DB");
  await migrate(database);
  const signingKeys = secrets.SIGNING_KEYS;
  const signIn = async (account: string) => {
    const id = crypto.randomUUID();
    await database
      .prepare("INSERT INTO users (account, id, email, password_hash, created_at) VALUES (?, ?, ?, '', ?)")
      .bind(account, id, `${id}@${account}.example`, new Date().toISOString())
      .run();
    const token = await signToken(signingKeys, "console", { sub: id, accounts: [account] }, 3600, Date.now());
    return { authorization: `Bearer ${token}`, "x-account-id": account };
  };
  const stop = async () => {
    await runtime.dispose();
    await rm(stateDir, { recursive: true, force: true });
  };
  return { origin, signingKeys, database, signIn, stop };
}

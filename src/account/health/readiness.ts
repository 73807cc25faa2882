import { z } from "@hono/zod-openapi";
import type { LookUps } from "../../kernel/db/look-ups.ts";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import { accountEvents, accountGate, ledgerVolume } from "../../kernel/durable/objects.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { logError } from "../../kernel/log.ts";
import { signToken, verifyToken } from "../../kernel/secrets/tokens.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { withinTime } from "../../kernel/time-limit.ts";
import type { readiness } from "./contract.ts";

export type Readiness = z.infer<typeof readiness>;

/** How long a result is reused, ms. Anyone may request it, and each check costs a round trip to every part. */
const REUSE_MS = 5_000;
const TIMEOUT_MS = 3_000;
/** An id that no key and no call has. */
const NO_ID = "";
/** A key that no bucket has. */
const NO_KEY = "readiness";
/** A day before any volume, so that the check reaches an object that stores nothing. */
const NO_DAY = "1970-01-01";

/**
 * This isolate's latest result. Promises are not cached, because a request on Workers must not wait for another one's
 * I/O.
 */
const found = new WeakMap<Bindings, { readiness: Readiness; at: number }>();

/** Checks whether each part works, or returns a recent result. */
export async function readinessOf(env: Bindings, lookUps: LookUps): Promise<Readiness> {
  const last = found.get(env);
  if (last && Date.now() - last.at < REUSE_MS) return last.readiness;
  const [d1, migrations, storage, gate, ledger, events, encryption, signing, runtime] = await Promise.all([
    look("d1", () => lookUps.account(OPERATOR_ACCOUNT)),
    look("migrations", () => compareMigrations(env, lookUps)),
    look("storage", () =>
      Promise.all([env.RECORDINGS, env.CONVERSATIONS, env.DOCUMENTS].map((bucket) => bucket.head(NO_KEY))),
    ),
    look("gate", () => accountGate(env, OPERATOR_ACCOUNT).enter({ key: NO_ID }, "")),
    look("ledger", () => ledgerVolume(env, OPERATOR_ACCOUNT, NO_DAY).call(NO_ID)),
    look("events", () => accountEvents(env, OPERATOR_ACCOUNT).last()),
    look("encryption", () => sealAndOpen(env)),
    look("signing", () => signAndVerify(env)),
    look("runtime", async () => findRuntime(env)),
  ]);
  const readiness = { d1, migrations, storage, gate, ledger, events, encryption, signing, runtime };
  found.set(env, { readiness, at: Date.now() });
  return readiness;
}

/** Checks one part. A failure is logged but not shown to callers. */
async function look(part: keyof Readiness, work: () => Promise<unknown>): Promise<Readiness["d1"]> {
  const began = Date.now();
  const outcome = (ok: boolean) => ({ ok, ms: Date.now() - began });
  try {
    await withinTime(work(), TIMEOUT_MS);
    return outcome(true);
  } catch (error) {
    logError("readiness", error, { part });
    return outcome(false);
  }
}

const hashesByName = z.record(z.string(), z.string());

/**
 * Compares the database's migrations with those that this release was deployed with. Additional ones are accepted,
 * because the database is a release ahead during a deployment and after a rollback.
 * @throws Error that names what is missing or changed
 */
async function compareMigrations({ MIGRATION_HASHES }: Bindings, lookUps: LookUps): Promise<void> {
  const applied = await lookUps.migrations();
  const expected = Object.entries(MIGRATION_HASHES ? hashesByName.parse(JSON.parse(MIGRATION_HASHES)) : {});
  const missing = expected.filter(([name]) => !applied.has(name)).map(([name]) => name);
  const changed = expected.filter(([name, hash]) => (applied.get(name) ?? hash) !== hash).map(([name]) => name);
  if (missing.length > 0 || changed.length > 0 || applied.size === 0)
    throw new Error(
      `the database lacks ${missing.join(", ") || "no migration"}; changed: ${changed.join(", ") || "none"}`,
    );
}

async function sealAndOpen({ ENCRYPTION_KEYS }: Bindings): Promise<void> {
  const vault = new Vault(ENCRYPTION_KEYS);
  const context = { account: OPERATOR_ACCOUNT, table: "none", id: "readiness" };
  await vault.open(await vault.seal("ready", context), context);
}

async function signAndVerify({ SIGNING_KEYS }: Bindings): Promise<void> {
  const now = Date.now();
  const token = await signToken(SIGNING_KEYS, "login", { sub: "readiness" }, 1, now);
  if (!(await verifyToken(SIGNING_KEYS, "login", token, now)))
    throw new TypeError("the signature of a test token could not be verified");
}

/**
 * Checks whether calls can be connected, to the configured runtime or to the service's own address. Contacts neither.
 */
function findRuntime(env: Bindings): void {
  baseOf(env);
  const url = env.VOICE_RUNTIME_URL;
  if (url === "" || (URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol))) return;
  throw new TypeError("VOICE_RUNTIME_URL is not a ws or wss address");
}

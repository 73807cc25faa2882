import type { z } from "@hono/zod-openapi";
import type { LookUps } from "../../kernel/db/look-ups.ts";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { logError } from "../../kernel/log.ts";
import { signToken, verifyToken } from "../../kernel/secrets/tokens.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import type { readiness } from "./contract.ts";

export type Readiness = z.infer<typeof readiness>;

/** How long a result is reused, ms: anyone may ask, and each check costs a round trip to every part. */
const REUSE_MS = 5_000;
/** Timeout of a part's check, ms. */
const TIMEOUT_MS = 3_000;
/** The id of no key. */
const NO_HASH = "";

/** This isolate's latest result. No promise is kept, because on Workers one request may not wait for another's I/O. */
const found = new WeakMap<Bindings, { readiness: Readiness; at: number }>();

/** Whether each part works, as of a recent check. */
export async function readinessOf(env: Bindings, lookUps: LookUps): Promise<Readiness> {
  const last = found.get(env);
  if (last && Date.now() - last.at < REUSE_MS) return last.readiness;
  const [d1, gate, encryption, signing, runtime] = await Promise.all([
    look("d1", () => lookUps.account(OPERATOR_ACCOUNT)),
    look("gate", () => accountGate(env, OPERATOR_ACCOUNT).enter({ key: NO_HASH }, "")),
    look("encryption", () => sealAndOpen(env)),
    look("signing", () => signAndVerify(env)),
    look("runtime", async () => findRuntime(env)),
  ]);
  const readiness = { d1, gate, encryption, signing, runtime };
  found.set(env, { readiness, at: Date.now() });
  return readiness;
}

/** Checks one part. Its fault goes to the log and is not shown to callers. */
async function look(part: keyof Readiness, work: () => Promise<unknown>): Promise<Readiness["d1"]> {
  const began = Date.now();
  const outcome = (ok: boolean) => ({ ok, ms: Date.now() - began });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([work(), late]);
    return outcome(true);
  } catch (error) {
    logError("readiness", error, { part });
    return outcome(false);
  } finally {
    clearTimeout(timer);
  }
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

/** Whether calls can be connected: to the configured runtime, or to our own address. Neither is contacted. */
function findRuntime(env: Bindings): void {
  baseOf(env);
  const url = env.VOICE_RUNTIME_URL;
  if (url === "" || (URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol))) return;
  throw new TypeError("VOICE_RUNTIME_URL is not a ws or wss address");
}

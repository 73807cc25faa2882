import { setTimeout as sleep } from "node:timers/promises";
import { ensureBuilt } from "../builds.ts";
import { localSettings } from "../local-settings.ts";
import { migrate } from "../migrate.ts";
import { leaveNoOrphans } from "../orphans.ts";
import { DEV_VARS, STATE_DIR, WORKER } from "../paths.ts";
import { assertKeys, assertWritable } from "../preflight.ts";
import { startRuntime, variables } from "../runtime.ts";
import { ensureDevVars } from "../secrets.ts";
import { OperatorApi, type SendRequest } from "./api.ts";
import { readAnswer } from "./ask.ts";
import { assertStopped, holdState } from "./held-state.ts";
import { localOperator, removeLocalOperator, SignedIn } from "./operator.ts";

export interface Remote {
  url: string;
  email: string | undefined;
  /** An operator token to use instead of signing in. */
  token?: string | undefined;
}

/** Runs `work` with a deployment, or with a service that it starts on this machine's state, which must not be in use. */
export async function withService<T>(remote: Remote | null, work: (api: OperatorApi) => Promise<T>): Promise<T> {
  return remote ? work(await deployed(remote)) : onThisMachine(work);
}

async function deployed({ url, email, token }: Remote): Promise<OperatorApi> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Error(`--remote must be an address such as https://voice.example.com, not ${url}`);
  const base = new URL(url).origin;
  const send: SendRequest = (address, { body, ...init }) =>
    fetch(
      address,
      body === undefined ? init : Object.assign(init, { body: typeof body === "string" ? body : new Uint8Array(body) }),
    );
  if (token !== undefined)
    return new OperatorApi(base, send, () => Promise.resolve({ authorization: `Bearer ${token}` }), sleep);
  const { OPERATOR_EMAIL, OPERATOR_PASSWORD } = process.env;
  const who = {
    email: email ?? OPERATOR_EMAIL ?? (await readAnswer("Operator's email: ")),
    password: OPERATOR_PASSWORD ?? (await readAnswer("Password: ", "hidden")),
  };
  const signedIn = await SignedIn.as(who, { base, send, now: Date.now, code: () => readAnswer("Code: ") });
  return new OperatorApi(base, send, () => signedIn.headers(), sleep);
}

async function onThisMachine<T>(work: (api: OperatorApi) => Promise<T>): Promise<T> {
  assertStopped(STATE_DIR);
  await assertWritable(STATE_DIR);
  await holdState(STATE_DIR);
  await ensureDevVars(DEV_VARS);
  const base = `http://localhost:${process.env.PORT || "8787"}`;
  const own = { EMBEDDED_LOGIN: "on", OIDC_ISSUER: "", RATE_LIMITS: "off", REQUEST_LINES: "off" };
  const settings = Object.assign({}, localSettings(await variables(process.env), base), own);
  await assertKeys(settings);
  leaveNoOrphans();
  const { BUILT_WORKER } = process.env;
  if (!BUILT_WORKER) await ensureBuilt("worker");
  const runtime = await startRuntime({ script: BUILT_WORKER || WORKER, variables: settings });
  try {
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    const send = runtime.dispatchFetch as unknown as SendRequest;
    const who = await localOperator(db, new Date());
    const code = () => Promise.reject(new Error("the operator of this machine has no second factor"));
    const signedIn = await SignedIn.as(who, { base, send, now: Date.now, code });
    const api = new OperatorApi(base, send, () => signedIn.headers(), sleep);
    try {
      return await work(api);
    } finally {
      await removeLocalOperator(db);
    }
  } finally {
    await runtime.dispose();
  }
}

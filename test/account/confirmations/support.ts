import { env } from "cloudflare:workers";
import {
  type Confirm,
  type Effect,
  requestConfirmation,
  takeConfirmation,
} from "../../../src/account/confirmations/confirm.ts";
import type { Scope } from "../../../src/kernel/scopes.ts";
import { sha256Hex } from "../../../src/kernel/secrets/hashing.ts";

/** A call that an assistant wants to place. */
export const CALL = {
  tool: "place_call",
  arguments: { to_number: "+13035550110", agent: "Reception" },
  effect: {
    to_numbers: ["+13035550110"],
    count: 1,
    details: { agent: "Reception", from_number: "+12025550100" },
  } satisfies Effect,
};

/** The holder of an API key of the account. */
export interface Asker {
  account: string;
  key: { key: string };
}

/** Returns the principal of an admitted key. */
export async function principalOf({ account, key }: Asker) {
  const hash = await sha256Hex(key.key);
  const entry = await env.ACCOUNT_GATE.getByName(account).enter({ key: hash }, "203.0.113.9");
  if (entry.outcome !== "ok") throw new Error(`the key is ${entry.outcome}`);
  return { account, key: hash, callerView: entry.view, ...entry.authority, keyTerms: entry.keyTerms };
}

/** Requests the confirmation of a call with the key, as admitted earlier under `as`. */
export async function confirmationOf(
  asker: Asker,
  { scope = "dial" as Scope, as = null as Awaited<ReturnType<typeof principalOf>> | null } = {},
): Promise<Confirm> {
  const principal = as ?? (await principalOf(asker));
  const summary = `Call ${CALL.arguments.to_number} with the agent Reception`;
  return requestConfirmation({ env, principal, now: Date.now() }, { ...CALL, scope, summary });
}

/** Takes a confirmation with the key. */
export async function taken(
  asker: Asker,
  confirm: string,
  act: Partial<typeof CALL> & { answered?: "yes" | "no" } = {},
): Promise<string> {
  const { answered = null, ...changed } = act;
  const principal = await principalOf(asker);
  return takeConfirmation({ env, principal }, { ...CALL, ...changed, confirm, answered });
}

import { env } from "cloudflare:workers";
import { signText } from "../../src/kernel/secrets/tokens.ts";
import { SANDBOX_WEBHOOK } from "../../src/phone/carriers/sandbox-carrier.ts";
import { type Caller, caller, getCall, slowly, webhookPath } from "../phone/calls/support.ts";
import { BASE, call } from "../support/client.ts";
import { type Campaign, contactOf, contactsCsv, started, until } from "./support.ts";

export const campaignOf = ({ account }: Caller, path: string) =>
  env.CAMPAIGN.getByName(`${account}/${path.split("/").at(-1)}`);

/** Sends a report about a call of the campaign, signed as the sandbox signs. */
export async function report(
  who: Pick<Caller, "account">,
  path: string,
  callId: string,
  event: Record<string, unknown>,
  asks = "",
) {
  const address = `${await webhookPath(who, callId, path.split("/").at(-1))}${asks}`;
  const body = JSON.stringify({ provider_call_id: callId, answered_by: null, reason: "", recording: null, ...event });
  const signature = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${BASE}${address}\n${body}`);
  const headers = { "content-type": "application/json", "x-sandbox-signature": signature };
  return call("POST", address, { headers, raw: body });
}

/** Creates a campaign of `n` contacts whose calls all ring until the test changes that. */
export async function withRinging(n: number, fields: Record<string, string> = {}) {
  const who = await caller();
  await slowly(who);
  const path = await started(who, contactsCsv(n), fields);
  await until(
    () => who.server.get<Campaign>(path),
    ({ body }) => body.counts.originated === n,
  );
  const callIds = await Promise.all(
    Array.from({ length: n }, async (_, i) => String((await contactOf(who.server, path, i)).attempts[0]?.call_id)),
  );
  await until(
    () => Promise.all(callIds.map((id) => getCall(who.server, id))),
    (calls) => calls.every(({ status }) => status === "ringing" || status === "initiated"),
  );
  return { who, path, callIds, callId: callIds[0] ?? "" };
}

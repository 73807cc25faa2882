import { baseOf } from "../../kernel/http/base-url.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { signText, signToken, verifyText, verifyToken } from "../../kernel/secrets/tokens.ts";
import type { HandoverTarget, Provider } from "../carriers/carrier.ts";

export interface WebhookCall {
  account: string;
  call_id: string;
  campaign_id: string | null;
  /** The credentials of the call; null for a carrier without credentials. */
  credentials_id: string | null;
}

/**
 * How long a carrier may fetch the instructions of a transfer, s. It does so at once, and a few more times if that
 * fails.
 */
const TRANSFER_LIFETIME_S = 120;

/** The purposes for which tokens of webhook addresses are signed. */
const CALL_WEBHOOK = "call-webhook";

/**
 * Returns the address for a carrier's reports of a call. It contains the call, its campaign and credentials, and a
 * token that only this service can create for these. Some carriers sign only the body of a report; the token prevents
 * such a report from being sent to another call's address.
 * @throws ApiError 503
 */
export async function webhookUrl(
  env: Pick<Bindings, "PUBLIC_URL" | "SIGNING_KEYS">,
  provider: Provider,
  call: WebhookCall,
): Promise<string> {
  const { account, call_id, campaign_id, credentials_id } = call;
  const query = new URLSearchParams();
  // A report of a campaign's call can arrive before the call is listed, or after its number was deleted.
  if (campaign_id !== null) query.set("campaign", campaign_id);
  if (credentials_id !== null) query.set("credentials", credentials_id);
  query.set("token", await signText(env.SIGNING_KEYS, CALL_WEBHOOK, tokenText(provider, call)));
  return `${baseOf(env)}/api/telephony/webhooks/${provider}/${account}/${call_id}?${query}`;
}

/**
 * Checks whether this service issued the token of a webhook's address for everything that the address names.
 * @throws SigningUnavailable
 */
export function isAddressOf(
  env: Pick<Bindings, "SIGNING_KEYS">,
  provider: Provider,
  call: WebhookCall,
  token: string,
): Promise<boolean> {
  return verifyText(env.SIGNING_KEYS, CALL_WEBHOOK, tokenText(provider, call), token);
}

function tokenText(provider: Provider, { account, call_id, campaign_id, credentials_id }: WebhookCall): string {
  return JSON.stringify([provider, account, call_id, campaign_id, credentials_id]);
}

/**
 * Returns where the carrier fetches the instructions to transfer this call: its webhook address with the target in a
 * token that only this service can create, valid for this call and a short time. The carrier's signature covers the
 * whole address.
 */
export async function transferUrl(
  env: Pick<Bindings, "SIGNING_KEYS">,
  webhook_url: string,
  { account, call_id }: Pick<WebhookCall, "account" | "call_id">,
  { to_number, caller_id }: HandoverTarget,
  now: number,
): Promise<string> {
  const claims = { sub: call_id, account, to: to_number, from: caller_id };
  const token = await signToken(env.SIGNING_KEYS, "transfer", claims, TRANSFER_LIFETIME_S, now);
  return `${webhook_url}${webhook_url.includes("?") ? "&" : "?"}transfer=${token}`;
}

/** Returns the target in the token of such an address; null if the token is invalid, for another call, or expired. */
export async function transferTarget(
  env: Pick<Bindings, "SIGNING_KEYS">,
  { account, call_id }: Pick<WebhookCall, "account" | "call_id">,
  token: string,
  now: number,
): Promise<HandoverTarget | null> {
  const claims = await verifyToken(env.SIGNING_KEYS, "transfer", token, now);
  if (claims?.sub !== call_id || claims.account !== account) return null;
  const { to, from } = claims;
  return typeof to === "string" && typeof from === "string" ? { to_number: to, caller_id: from } : null;
}

/**
 * Returns where a carrier fetches what to say to a machine: its webhook address with a mark, which its signature
 * covers.
 */
export function messageUrl(webhook_url: string): string {
  return `${webhook_url}${webhook_url.includes("?") ? "&" : "?"}${MESSAGE_MARK}=1`;
}

/** The query parameter that marks the address of a message for a machine. */
const MESSAGE_MARK = "message";

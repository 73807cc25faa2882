import { ZodError } from "zod";
import {
  type CallEvent,
  type Carrier,
  type CarrierDocument,
  ForgedWebhook,
  PROVIDERS,
  type Provider,
  type Webhook,
} from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";
import type { LookUps } from "../db/look-ups.ts";
import { baseOf } from "../http/base-url.ts";
import { FROM_ANYBODY, readBytes } from "../http/body.ts";
import type { Bindings } from "../http/context.ts";
import { ApiError, invalid, notFound } from "../http/errors.ts";
import { ACCOUNT_NAME } from "../secrets/api-key.ts";
import { connectCarrier } from "../telephony/line.ts";

/** Which call a webhook says it is about. */
export interface WebhookTarget {
  provider: Provider;
  account: string;
  call_id: string;
  campaign: string | null;
  /** The credentials that a campaign's call goes by. */
  credentials: string | null;
}

/**
 * The events in a webhook, once its signature has shown that it is the carrier's, and the credentials that showed it.
 * Forged: 403; no such call: 404.
 */
export async function verifiedEvents(
  env: Bindings,
  lookUps: LookUps,
  target: WebhookTarget,
  webhook: Webhook,
): Promise<{ carrier: Carrier; credentials_id: string | null; events: CallEvent[] }> {
  const { provider, account, call_id, campaign, credentials: named } = target;
  if (!ACCOUNT_NAME.test(account)) throw notFound("account");
  const credentials =
    provider === "sandbox" ? undefined : await lookUps.callCredentials(account, provider, call_id, campaign, named);
  if (provider !== "sandbox" && !credentials) throw notFound("call");
  const carrier = await connectCarrier(env, account, provider, credentials);
  const events = await readable(() => carrier.parseWebhook(webhook));
  return { carrier, credentials_id: credentials?.id ?? null, events };
}

/** What `read` makes of a webhook; one that is forged or no such report is answered so. */
export async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ForgedWebhook)
      throw new ApiError(403, "forged_webhook", "the webhook is not signed by the carrier");
    if (error instanceof SyntaxError || error instanceof ZodError)
      throw invalid("the webhook is signed, but is no report of a call", "unreadable_webhook");
    throw error;
  }
}

/** The carrier that a webhook's address names. @throws ApiError 404 */
export function providerNamed(name: string): Provider {
  const provider = PROVIDERS.find((known) => known === name && carrierKind(known));
  if (!provider) throw notFound("carrier");
  return provider;
}

/** A webhook as it arrived, at the address the carrier was given, and signs. */
export async function readWebhook(env: Bindings, request: Request): Promise<Webhook> {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    url: `${baseOf(env)}${pathname}${search}`,
    headers: request.headers,
    body: new TextDecoder().decode(await readBytes(request, FROM_ANYBODY)),
  };
}

/** What a carrier is answered with beside the status. */
export function documentResponse({ content_type, body }: CarrierDocument): Response {
  return new Response(body, { headers: { "content-type": content_type } });
}

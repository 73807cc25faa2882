import { and, eq } from "drizzle-orm";
import type { Context } from "hono";
import { ZodError } from "zod";
import { AccountClosedError, type AccountStore } from "../../kernel/db/account-store.ts";
import { telephonyProviders } from "../../kernel/db/schema/index.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import { FROM_ANYBODY, readBytes } from "../../kernel/http/body.ts";
import { refuseEncoded } from "../../kernel/http/content-encoding.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { ApiError, invalid, notFound } from "../../kernel/http/errors.ts";
import { countFailure, recognizeScope, refuseBlocked } from "../../kernel/http/failures.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
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
import { connectCarrier } from "../telephony/line.ts";
import { isAddressOf } from "./webhook-url.ts";

/** The call that a webhook claims to concern. */
export interface WebhookTarget {
  provider: Provider;
  account: string;
  call_id: string;
  campaign: string | null;
  credentials: string | null;
  /** Shows that this service issued the address; empty if it has none. */
  token: string;
  /** The token with the transfer's target, with which the carrier fetches the instructions. */
  transfer: string | null;
  /** Whether the carrier requests the message for a machine. */
  message: boolean;
}

export interface VerifiedEvents {
  carrier: Carrier;
  credentials_id: string | null;
  events: CallEvent[];
  webhook: Webhook;
}

/** The dependencies of finding a webhook's call. */
interface Reached {
  env: Bindings;
  store: AccountStore;
}

/** Returns the events in a webhook and the credentials that verified its signature. Forged: 403; no such call: 404. */
export async function verifiedEvents(
  { env, store }: Reached,
  target: WebhookTarget,
  webhook: Webhook,
): Promise<VerifiedEvents> {
  const { provider, account, call_id, campaign, credentials: named, token } = target;
  const addressed = { account, call_id, campaign_id: campaign, credentials_id: named };
  if (!(await isAddressOf(env, provider, addressed, token)))
    throw new ApiError(403, "forged_webhook", "this is not an address that the carrier received for this call");
  const where = and(eq(telephonyProviders.provider, provider), eq(telephonyProviders.id, named ?? ""));
  const [credentials] =
    named === null ? [] : await new Ledger({ env, store }).read(store.first(telephonyProviders, { where }));
  if (provider !== "sandbox" && !credentials) throw notFound("call");
  const carrier = await connectCarrier(env, account, provider, credentials);
  const events = await readable(() => carrier.parseWebhook(webhook));
  return { carrier, credentials_id: credentials?.id ?? null, events, webhook };
}

/**
 * Runs `verify` for a webhook. Failures are counted by the sender's address and the account, because a carrier's
 * addresses serve all accounts; if there is no such account, by the address alone. After too many failures, such
 * webhooks are refused unread for the rest of the minute.
 * @throws ApiError 403, 404, 429
 */
export async function genuine<T>(
  c: Context<AppEnv>,
  { provider, account }: Pick<WebhookTarget, "provider" | "account">,
  verify: (webhook: Webhook) => Promise<T>,
): Promise<T> {
  if (!ACCOUNT_NAME.test(account)) throw notFound("account");
  // Checking a sandbox signature needs no I/O, and failures of other clients must not block the service's own reports.
  if (provider !== "sandbox") refuseBlocked(c, "webhook", account);
  const webhook = await readWebhook(c.env, c.req.raw);
  try {
    const verified = await verify(webhook);
    recognizeScope("webhook", account);
    return verified;
  } catch (error) {
    if (isUnverified(error)) {
      refuseBlocked(c, "webhook", account);
      const row = await lookUps(c).account(account);
      await countFailure(c, "webhook", row && account);
    }
    throw error;
  }
}

/**
 * Checks whether the error means that a webhook was not verified: it is forged, or there is no such call or no such
 * open account.
 */
function isUnverified(error: unknown): boolean {
  return (error instanceof ApiError && [403, 404].includes(error.status)) || error instanceof AccountClosedError;
}

/** Runs `read` for a webhook and maps its errors to responses: forged, or not a report. */
export async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ForgedWebhook)
      throw new ApiError(403, "forged_webhook", "the webhook is not signed by the carrier");
    if (error instanceof SyntaxError || error instanceof ZodError)
      throw invalid("the webhook is signed, but it is not a call report", "unreadable_webhook");
    throw error;
  }
}

/** Returns the carrier in a webhook's address. @throws ApiError 404 */
export function providerNamed(name: string): Provider {
  const provider = PROVIDERS.find((candidate) => candidate === name && carrierKind(candidate));
  if (!provider) throw notFound("carrier");
  return provider;
}

/** Returns a webhook as it arrived, with the address that the carrier was given and that it signs. */
async function readWebhook(env: Bindings, request: Request): Promise<Webhook> {
  refuseEncoded(request);
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    url: `${baseOf(env)}${pathname}${search}`,
    headers: request.headers,
    body: new TextDecoder().decode(await readBytes(request, FROM_ANYBODY)),
  };
}

export function documentResponse({ content_type, body }: CarrierDocument): Response {
  return new Response(body, { headers: { "content-type": content_type } });
}

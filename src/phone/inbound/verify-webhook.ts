import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { telephonyProviders } from "../../kernel/db/schema/index.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { reportedNumber } from "../../kernel/numbers/read-number.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import {
  type Carrier,
  ForgedWebhook,
  type Inbound,
  type InboundCall,
  type Provider,
  type Webhook,
} from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";
import { connectCarrier } from "../telephony/line.ts";

type CredentialsRow = typeof telephonyProviders.$inferSelect;

/** A webhook whose signature is verified. It announces `call`; if that is null, it contains events of a call. */
export interface VerifiedWebhook {
  carrier: Carrier;
  inbound: Inbound;
  call: InboundCall | null;
  credentials_id: string | null;
  webhook: Webhook;
}

/**
 * Returns the webhook if its signature is valid for the one set of credentials that must have signed it. Deleted
 * credentials are valid for events of calls that still use them, but not for a new call.
 * @throws ForgedWebhook
 */
export async function verifyWebhook(
  env: Bindings,
  store: AccountStore,
  provider: Provider,
  named: string | null,
  webhook: Webhook,
): Promise<VerifiedWebhook> {
  const credentials = provider === "sandbox" ? undefined : await credentialsFor(env, store, provider, named, webhook);
  const carrier = await connectCarrier(env, store.account, provider, credentials);
  const { inbound } = carrier;
  if (!inbound) throw notFound("carrier");
  const announced = await inbound.parse(webhook);
  const call = announced && {
    provider_call_id: announced.provider_call_id,
    from_number: reportedNumber(announced.from_number),
    to_number: reportedNumber(announced.to_number),
  };
  if (call && credentials?.deleted_at) throw new ForgedWebhook("the credentials were deleted");
  return { carrier, inbound, call, credentials_id: credentials?.id ?? null, webhook };
}

/**
 * Returns the credentials with which to verify a webhook: those in its address. If its address has none, it uses those
 * of the recorded call that the webhook claims to be about, otherwise the provider's only credentials, otherwise those
 * of the number that was allegedly dialed. The claims are unverified, so they select one set of credentials and never
 * cause several to be tried.
 * @throws ForgedWebhook
 */
async function credentialsFor(
  env: Bindings,
  store: AccountStore,
  provider: Provider,
  named: string | null,
  webhook: Webhook,
): Promise<CredentialsRow> {
  const one = (id: SQL) =>
    store.first(telephonyProviders, {
      where: and(eq(telephonyProviders.provider, provider), inArray(telephonyProviders.id, id)),
    });
  const { account } = store;
  const ledger = new Ledger({ env, store });
  if (named !== null) {
    const [credentials] = await ledger.read(one(sql`(${named})`));
    return credentials ?? nobody();
  }
  const { provider_call_id, to_number } = carrierKind(provider)?.claims?.(webhook) ?? NOTHING;
  const dialled = sql`(SELECT credentials_id FROM phone_numbers WHERE account = ${account} AND e164 = ${reportedNumber(to_number ?? "")})`;
  const [theirs, ofNumber] = await ledger.read(
    store.select(telephonyProviders, { where: eq(telephonyProviders.provider, provider) }),
    one(dialled),
  );
  const call = provider_call_id === null ? null : await ledger.inboundCall(provider, provider_call_id);
  const ofCall = call && theirs.find(({ id }) => id === call.credentials_id);
  const live = theirs.filter(({ deleted_at }) => deleted_at === null);
  return ofCall ?? (live.length === 1 ? live[0] : ofNumber) ?? nobody();
}

const NOTHING = { provider_call_id: null, to_number: null };

function nobody(): never {
  throw new ForgedWebhook("no credentials exist to verify it with");
}

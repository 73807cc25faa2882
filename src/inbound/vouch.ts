import { asc, eq } from "drizzle-orm";
import {
  type Carrier,
  ForgedWebhook,
  type Inbound,
  type InboundCall,
  type Provider,
  type Webhook,
} from "../carriers/carrier.ts";
import type { AccountStore } from "../db/account-store.ts";
import { telephonyProviders } from "../db/schema/index.ts";
import type { Bindings } from "../http/context.ts";
import { notFound } from "../http/errors.ts";
import { connectCarrier } from "../telephony/line.ts";

/** What somebody's credentials have vouched for: a call, or where it is null, events of one. */
export interface Vouched {
  carrier: Carrier;
  inbound: Inbound;
  call: InboundCall | null;
  credentials_id: string | null;
}

/**
 * The call, by whichever of the account's credentials the signature is good for. Deleted ones, which come last, vouch
 * for events of calls that still go by them, and for no new call. @throws ForgedWebhook
 */
export async function vouch(
  env: Bindings,
  store: AccountStore,
  provider: Provider,
  webhook: Webhook,
): Promise<Vouched> {
  const [sealed] = await store.read(
    store.select(telephonyProviders, {
      where: eq(telephonyProviders.provider, provider),
      orderBy: [asc(telephonyProviders.deleted_at)],
    }),
  );
  for (const credentials of provider === "sandbox" ? [undefined] : sealed) {
    const carrier = await connectCarrier(env, store.account, provider, credentials);
    const { inbound } = carrier;
    if (!inbound) throw notFound("carrier");
    try {
      const call = await inbound.parse(webhook);
      if (call && credentials?.deleted_at) throw new ForgedWebhook("the credentials were deleted");
      return { carrier, inbound, call, credentials_id: credentials?.id ?? null };
    } catch (error) {
      if (!(error instanceof ForgedWebhook)) throw error;
    }
  }
  throw new ForgedWebhook("signature");
}

import { eq, inArray, sql } from "drizzle-orm";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import { calls, telephonyProviders } from "../../kernel/db/schema/index.ts";
import { type Carrier, type CarrierContext, PROVIDERS } from "../carriers/carrier.ts";
import { connectCarrier } from "../telephony/line.ts";

type CallRow = typeof calls.$inferSelect;
type CredentialsRow = typeof telephonyProviders.$inferSelect;

/**
 * A call and the credentials it goes by, in one round trip: its own, or for a call of a campaign those of its number.
 */
export function callReads(
  store: AccountStore,
  callId: string,
): [Read<CallRow | undefined>, Read<CredentialsRow | undefined>] {
  const credentials = sql`(
    SELECT coalesce(c.credentials_id, n.credentials_id) FROM calls c
    LEFT JOIN phone_numbers n ON n.account = c.account AND n.e164 = c.from_number AND n.provider = c.provider
    WHERE c.account = ${store.account} AND c.id = ${callId})`;
  return [
    store.first(calls, { where: eq(calls.id, callId) }),
    store.first(telephonyProviders, { where: inArray(telephonyProviders.id, credentials) }),
  ];
}

/** The carrier that carries the call, null where its credentials are gone. @throws VaultUnavailable */
export async function carrierOf(
  env: CarrierContext["env"] & Pick<Env, "ENCRYPTION_KEYS">,
  { account, ...call }: CallRow,
  credentials: CredentialsRow | undefined,
): Promise<Carrier | null> {
  const provider = PROVIDERS.find((name) => name === call.provider);
  if (!provider || (provider !== "sandbox" && !credentials)) return null;
  return connectCarrier(env, account, provider, credentials);
}

import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { telephonyProviders } from "../../kernel/db/schema/index.ts";
import { Ledger } from "../../records/ledger/ledger.ts";

interface Reached {
  env: Pick<Env, "ACCOUNT_LEDGER">;
  store: AccountStore;
}

/** Returns the sealed carrier credentials with this id; undefined if they are gone or another carrier's. */
export async function credentialsNamed({ env, store }: Reached, provider: string, id: string | SQL) {
  const where = and(eq(telephonyProviders.provider, provider), inArray(telephonyProviders.id, sql`(${id})`));
  const [row] = await new Ledger({ env, store }).read(store.first(telephonyProviders, { where }));
  return row;
}

/**
 * Returns the sealed carrier credentials that reach a call whose own are gone: those of the campaign's number, or what the
 * ledger has of the call.
 */
export async function credentialsInstead(
  { env, store }: Reached,
  { provider, call_id, campaign }: { provider: string; call_id: string; campaign: string | null },
) {
  const onRecord = async () => (await new Ledger({ env, store }).call(call_id))?.credentials_id ?? "";
  const id = campaign === null ? await onRecord() : numberOf(store.account, campaign);
  return credentialsNamed({ env, store }, provider, id);
}

/** The credentials of the number that a campaign calls from. */
const numberOf = (account: string, campaign: string) => sql`
  SELECT n.credentials_id FROM campaigns c JOIN phone_numbers n ON n.account = c.account AND n.e164 = c.from_number
  WHERE c.account = ${account} AND c.id = ${campaign}`;

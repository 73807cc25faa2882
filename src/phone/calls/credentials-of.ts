import { and, eq, inArray, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { telephonyProviders } from "../../kernel/db/schema/index.ts";
import { Ledger } from "../../records/ledger/ledger.ts";

/** A call that a carrier's webhook is about. */
interface SpokenOf {
  provider: string;
  call_id: string;
  campaign: string | null;
  /** The call's credentials; null if they are still to be found. */
  credentials: string | null;
}

/**
 * The sealed carrier credentials of a call: those named. Addresses from earlier releases name none: then the call's own
 * are used, or for a campaign's call those of the campaign's number.
 */
export async function credentialsOf(
  { env, store }: { env: Pick<Env, "ACCOUNT_LEDGER">; store: AccountStore },
  { provider, call_id, campaign, credentials }: SpokenOf,
) {
  const { account } = store;
  const ledger = new Ledger({ env, store });
  const id =
    credentials ??
    (campaign === null ? ((await ledger.call(call_id))?.credentials_id ?? "") : numberOf(account, campaign));
  const where = and(eq(telephonyProviders.provider, provider), inArray(telephonyProviders.id, sql`(${id})`));
  const [row] = await ledger.read(store.first(telephonyProviders, { where }));
  return row;
}

/** The credentials of the number that a campaign calls from. */
const numberOf = (account: string, campaign: string) => sql`
  SELECT n.credentials_id FROM campaigns c JOIN phone_numbers n ON n.account = c.account AND n.e164 = c.from_number
  WHERE c.account = ${account} AND c.id = ${campaign}`;

import type { AccountStore } from "../../kernel/db/account-store.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { callOwner } from "./live/call-owner.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Returns a call of the account; null if there is none. A campaign has its calls before the ledger does; if the caller
 * doesn't name the campaign, the call's lease does. An ID that the account can't have issued costs no request.
 */
export async function findCall(
  context: Context,
  id: string,
  campaignId: string | null = null,
): Promise<CallRow | null> {
  const { env, store } = context;
  const volume = await new Ledger({ env, store }).at(id);
  if (!volume) return null;
  const call = (await volume.call(id)) as CallRow | null;
  if (call) return call;
  const campaign = campaignId ?? (await accountMeter(env, store.account).campaignOf(id));
  return callOwner(context, campaign).find(id, null);
}

import { eq, sql } from "drizzle-orm";
import type { AccountStore, AuditEntry } from "../../kernel/db/account-store.ts";
import { calls } from "../../kernel/db/schema/index.ts";
import { accountMeter, campaignObject } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { ApiError, conflict, notFound } from "../../kernel/http/errors.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { CarrierRefusal } from "../carriers/carrier.ts";
import { endAtCarrier } from "./ask-carrier.ts";
import { callReads, carrierOf } from "./call-carrier.ts";
import { takeCallEvent } from "./call-events.ts";
import { callRef } from "./call-ref.ts";

type CallRow = typeof calls.$inferSelect;

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Ends a call at its carrier, records what became of it and frees its slot; a campaign's call through its campaign. A
 * call that is over is left as it is. Where the carrier does not say that it hung up, that is tried again until the
 * call's limit. Gives the call as it then is. Pass the call's campaign if you know it; the call may not be listed yet.
 * @throws ApiError with the carrier's reason
 */
export async function hangUpCall(
  { env, store, now }: Context,
  { id, campaignId = null }: { id: string; campaignId?: string | null },
): Promise<CallRow> {
  const [call, credentials] = await store.read(...callReads(store, id));
  if (!call) return hangUpUnlisted(env, store, id, campaignId);
  if (isTerminal(call.status as CallStatus)) return call;
  await store.write(hangUpOf(id), requested(store, id));
  const campaign = call.campaign_id === null ? null : campaignObject(env, store.account, call.campaign_id);
  // A campaign that was deleted knows no calls.
  const isCampaigns = (await campaign?.hangUp(id)) ?? false;
  if (!isCampaigns) {
    const carrier = await carrierOf(env, call, credentials);
    if (!carrier) throw conflict("credentials_gone", "the carrier credentials for this call were deleted");
    const meter = accountMeter(env, store.account);
    const event = await endAtCarrier(carrier, callRef(call)).catch(async (error: unknown) => {
      await meter.hangUpAgain(id);
      throw notHungUp(error);
    });
    await takeCallEvent(env, store, id, event, now);
    if (!isTerminal(event.status)) await meter.askSoon(id);
  }
  const [after] = await store.read(store.first(calls, { where: eq(calls.id, id) }));
  return after ?? call;
}

/** Ends a campaign's call that is not listed yet: its campaign lists it thereby. */
async function hangUpUnlisted(
  env: Bindings,
  store: AccountStore,
  id: string,
  campaignId: string | null,
): Promise<CallRow> {
  const campaign = campaignId === null ? null : campaignObject(env, store.account, campaignId);
  if (!campaign || !(await campaign.lineOf(id))) throw notFound("call");
  await store.note(hangUpOf(id));
  await campaign.hangUp(id);
  const [, call] = await store.record(requested(store, id), store.first(calls, { where: eq(calls.id, id) }));
  if (!call) throw notFound("call");
  return call;
}

const hangUpOf = (id: string): AuditEntry => ({ action: "hangup", resource: "call", resource_id: id });

/** Notes with the call that somebody wants it over. */
function requested(store: AccountStore, id: string) {
  const metadata = sql`json_set(${calls.metadata}, '$.hangup_requested', json('true'))`;
  return store.update(calls, { metadata }, eq(calls.id, id));
}

/** What a hang-up that failed is answered with. */
export function notHungUp(error: unknown): ApiError {
  return error instanceof CarrierRefusal
    ? new ApiError(500, `carrier_${error.reason}`, error.message)
    : new ApiError(500, "carrier_unknown", "the carrier did not confirm the hangup; it will be retried");
}

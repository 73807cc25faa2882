import type { DialRefusal } from "../../phone/calls/dial-refusal.ts";
import type { CampaignContext } from "../context.ts";
import { heldByAccount, heldByCampaign } from "../decide/explain-waiting.ts";
import type { ContactRow } from "../store/contacts.ts";

const WHY_REFUSED: Record<DialRefusal, string> = {
  do_not_call: "its number is on the do-not-call list",
  destination_not_allowed: "the account's call settings do not allow calls to its destination",
};

/** Returns why the contact isn't being dialed, as text for an operator; null if it is over or in a call. */
export async function whyWaiting(
  { store, dispatcher, dial, usage }: Pick<CampaignContext, "store" | "dispatcher" | "dial" | "usage">,
  contact: ContactRow,
): Promise<string | null> {
  if (contact.status !== "pending" || contact.next_attempt_at === null) return null;
  const number = `+${contact.phone}`;
  const refusal = (await dial.refused([number])).get(number);
  if (refusal) return WHY_REFUSED[refusal];
  const { settings, existing } = store.campaign;
  const zone = store.contacts.zoneName(contact.zone);
  const now = dial.now();
  const state = dispatcher.state(now);
  const held = heldByCampaign({ contact, zone, settings, statusReason: existing.status_reason, state }, now);
  if (held !== null) return held;
  return heldByAccount(await usage(), now) ?? "the contacts before it are dialed first";
}

import type { CallSession } from "../../phone/calls/call-session.ts";
import { contactId, shownNumber } from "../contact-id.ts";
import { contactVariables } from "../projection.ts";
import { chosenZone } from "../settings.ts";
import { disclosureIn } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

/** Returns the facts about a call that its conversation needs; null if the campaign has no such call. */
export function callSession({ attempts, campaign, contacts }: CampaignStore, callId: string): CallSession | null {
  const attempt = campaign.row && attempts.get(callId);
  const contact = attempt && contacts.get(attempt.contact);
  if (!attempt || !contact) return null;
  const { id, columns } = campaign.existing;
  const to_number = shownNumber(contact.phone);
  return {
    direction: "outbound",
    pinned_version: attempt.pinned_version,
    campaign_id: id,
    contact_id: contactId(id, contact.id),
    api_key_id: null,
    from_number: attempt.from_number,
    to_number,
    provider: attempt.provider,
    variables: contactVariables(columns, contact),
    contact_timezone: contacts.zoneName(contact.zone),
    campaign_timezone: chosenZone(campaign.settings),
    disclosure: disclosureIn(attempt.disclosure),
    ended_at: attempt.ended_at,
  };
}

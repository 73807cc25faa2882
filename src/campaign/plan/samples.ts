import { builtIn } from "../../kernel/rendering/built-in.ts";
import { renderAll } from "../../kernel/rendering/render.ts";
import { personZone } from "../../kernel/zones/person-zone.ts";
import { contactId } from "../contact-id.ts";
import type { CampaignPlan } from "../plan-contract.ts";
import { contactVariables } from "../projection.ts";
import { chosenZone } from "../settings.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { campaignTexts } from "./campaign-texts.ts";
import type { Preflight } from "./preflight.ts";

/** Number of contacts that a plan shows. */
const SAMPLES = 3;

/** Returns the first contacts of the file with the greeting they would hear now. */
export function samples(
  { campaign, contacts, listing }: CampaignStore,
  { agent, account_name, account_timezone }: Pick<Preflight, "agent" | "account_name" | "account_timezone">,
  now: number,
): CampaignPlan["samples"] {
  const { id, columns, importing } = campaign.existing;
  if (importing) return [];
  const { from_number } = campaign.settings;
  return listing.page({ limit: SAMPLES, offset: 0, after: 0, overhead: 0 }).map((contact) => {
    const phone_number = `+${contact.phone}`;
    const timezone = personZone({
      contact: contacts.zoneName(contact.zone),
      campaign: chosenZone(campaign.settings),
      number: phone_number,
      agent: agent?.timezone ?? null,
      account: account_timezone,
    });
    const shown = { contact_id: contactId(id, contact.id), phone_number, timezone };
    if (!agent) return { ...shown, greeting: null, missing_variables: [] };
    const { name: agent_name, language } = agent;
    const call = { direction: "outbound", from_number: from_number ?? "", to_number: phone_number };
    const { texts, missing } = renderAll(campaignTexts(agent, campaign.settings), [
      ...contactVariables(columns, contact),
      ...builtIn({ agent_name, account_name, call, timezone, language, now }),
    ]);
    return { ...shown, greeting: texts.greeting_message ?? null, missing_variables: missing };
  });
}

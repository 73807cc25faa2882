import type { AccountStore } from "../../kernel/db/account-store.ts";
import { machineMessage } from "../../phone/calls/machine-message.ts";
import type { MachineMessage, Provider } from "../../phone/carriers/carrier.ts";
import { contactVariables } from "../projection.ts";
import { chosenZone } from "../settings.ts";
import { type AttemptRow, disclosureIn } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

/** Returns the text to speak to the machine that answered a contact's call. `now` is in ms. @throws ApiError 503 */
export async function contactMessage(
  env: Env,
  store: CampaignStore,
  accountStore: AccountStore,
  attempt: AttemptRow,
  now: number,
): Promise<MachineMessage> {
  const { call_id, credentials_id, pinned_version } = attempt;
  const { account, id: campaign_id, columns } = store.campaign.existing;
  const contact = store.contacts.get(attempt.contact);
  const call = {
    account,
    call_id,
    campaign_id,
    credentials_id,
    provider: attempt.provider as Provider,
    from_number: attempt.from_number,
    to_number: `+${contact?.phone ?? ""}`,
    agent_id: attempt.agent_id,
    pinned_version,
    voicemail_message: store.campaign.settings.voicemail_message,
    disclosure: disclosureIn(attempt.disclosure),
    variables: contact ? contactVariables(columns, contact) : [],
    zones: {
      contact: contact && store.contacts.zoneName(contact.zone),
      campaign: chosenZone(store.campaign.settings),
    },
  };
  return machineMessage({ env, store: accountStore, now }, call);
}

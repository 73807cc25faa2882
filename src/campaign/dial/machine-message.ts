import { eq } from "drizzle-orm";
import { inForce } from "../../agent/versions/in-force.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import { personZone } from "../../kernel/zones/person-zone.ts";
import { MESSAGE_COLUMNS, machineMessage } from "../../phone/calls/machine-message.ts";
import type { MachineMessage, Provider } from "../../phone/carriers/carrier.ts";
import type { CampaignContext } from "../context.ts";
import { chosenZone } from "../settings.ts";
import { type AttemptRow, disclosureIn } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { contactVariables } from "../view.ts";

/**
 * The text to speak to the machine that answered a contact's call, in one D1 round trip; `now` in ms. @throws ApiError
 * 503
 */
export async function contactMessage(
  env: Env,
  store: CampaignStore,
  accountStore: AccountStore,
  attempt: AttemptRow,
  now: number,
): Promise<MachineMessage> {
  const { call_id, credentials_id } = attempt;
  const { account, id: campaign_id, columns } = store.campaign.existing;
  const [agent, profile] = await accountStore.read(
    inForce(accountStore, eq(agents.id, attempt.agent_id ?? ""), MESSAGE_COLUMNS, attempt.pinned_version),
    accountStore.profile(),
  );
  const contact = store.contacts.get(attempt.contact);
  const call = {
    account,
    call_id,
    campaign_id,
    credentials_id,
    provider: attempt.provider as Provider,
    from_number: attempt.from_number ?? "",
    to_number: `+${contact?.phone ?? ""}`,
    agent,
    voicemail_message: store.campaign.settings.voicemail_message,
    disclosure: disclosureIn(attempt.disclosure),
    account_name: profile.display_name,
    variables: contact ? contactVariables(columns, contact) : [],
    timezone: personZone({
      contact: contact && store.contacts.zoneName(contact.zone),
      campaign: chosenZone(store.campaign.settings),
      number: contact && `+${contact.phone}`,
      agent: agent?.timezone ?? null,
      account: profile.timezone,
    }),
  };
  return machineMessage(env, call, now);
}

/** The text that a carrier fetches to speak; null if it was not requested, or the call is over. */
export async function requestedMessage(
  { store, dial }: Pick<CampaignContext, "store" | "dial">,
  { callId }: { callId: string },
): Promise<string | null> {
  const attempt = store.campaign.row && store.attempts.get(callId);
  const isRequested = attempt?.message === "asked" || attempt?.message === "left";
  if (!attempt || !isRequested || attempt.state === "ended") return null;
  const { text } = await dial.machineMessage(attempt);
  return text === "" ? null : text;
}

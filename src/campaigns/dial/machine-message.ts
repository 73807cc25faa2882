import { eq } from "drizzle-orm";
import { GREETER_COLUMNS } from "../../calls/relay-settings.ts";
import { messageUrl, webhookUrl } from "../../calls/webhook-url.ts";
import type { MachineMessage, Provider } from "../../carriers/carrier.ts";
import { speaksText } from "../../carriers/no-runtime.ts";
import type { AccountStore } from "../../db/account-store.ts";
import { agents } from "../../db/schema/index.ts";
import { builtIn } from "../../rendering/built-in.ts";
import { render } from "../../rendering/render.ts";
import { valuesOf } from "../../rendering/variables.ts";
import type { AttemptRow } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { contactVariables } from "../view.ts";
import type { DispatchDependencies } from "./dispatch-dependencies.ts";

/**
 * What is said to the machine that answered a call: its agent's greeting as it is now, rendered for the contact; "" where
 * there is nothing to say. One D1 round trip; `now` in ms. @throws ApiError 503 where the service has no address
 */
export async function machineMessage(
  env: Env,
  store: CampaignStore,
  accountStore: AccountStore,
  attempt: AttemptRow,
  now: number,
): Promise<MachineMessage> {
  const { call_id, credentials_id } = attempt;
  const provider = attempt.provider as Provider;
  const { account, id: campaign_id, columns } = store.campaign.known;
  const [agent, profile] = await accountStore.read(
    accountStore.first(agents, { where: eq(agents.id, attempt.agent_id ?? ""), columns: [...GREETER_COLUMNS] }),
    accountStore.profile(),
  );
  const contact = store.contacts.get(attempt.contact);
  const variables = contact ? contactVariables(columns, contact) : [];
  const known = builtIn({
    agent_name: agent?.name ?? "",
    account_name: profile.display_name,
    call: { direction: "outbound", from_number: attempt.from_number ?? "", to_number: `+${contact?.phone ?? ""}` },
    timezone: (contact && store.contacts.zoneName(contact.zone)) ?? store.campaign.settings.timezone,
    now,
  });
  const { text } = render(agent?.greeting_message ?? "", valuesOf([...variables, ...known]));
  return {
    text: text.trim(),
    relay: speaksText(env, provider),
    instructions_url: messageUrl(await webhookUrl(env, provider, { account, call_id, campaign_id, credentials_id })),
  };
}

/** The text that a carrier fetches which was asked to speak it; null where it was not asked, or the call is over. */
export async function messageAskedFor(
  store: CampaignStore,
  deps: Pick<DispatchDependencies, "machineMessage">,
  callId: string,
): Promise<string | null> {
  const attempt = store.campaign.row && store.attempts.get(callId);
  const asked = attempt?.message === "asked" || attempt?.message === "left";
  if (!attempt || !asked || attempt.state === "ended") return null;
  const { text } = await deps.machineMessage(attempt);
  return text === "" ? null : text;
}

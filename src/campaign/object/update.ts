import type { Author } from "../../kernel/db/account-store.ts";
import { changedFields } from "../../kernel/db/audit-changes.ts";
import { conflict } from "../../kernel/http/errors.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import { invalidFields } from "../../kernel/http/issues.ts";
import { assertOwnAgent } from "../../kernel/http/own-agents.ts";
import type { AgentIds } from "../../kernel/scopes.ts";
import type { CampaignContext } from "../context.ts";
import type { RevisedCampaign } from "../projection.ts";
import { missingReference } from "../references.ts";
import { type CampaignSettings, patchedSettings, type SettingsPatch, type StoredSettings } from "../settings.ts";
import { changeSettings } from "../store/campaign-transitions.ts";
import { publish } from "./publish.ts";

interface Update {
  changes: SettingsPatch;
  author: Author;
  /** The only agents whose campaigns may be changed, and that may be assigned; null for all. */
  agentIds: AgentIds;
  /** The required revision of the settings; null for any. */
  ifMatch: number | null;
}

/** Changes the settings of a campaign that is not running. @throws ApiError 400, 404, 409, 412 */
export async function updateCampaign(
  context: CampaignContext,
  { changes, author, agentIds, ifMatch }: Update,
): Promise<RevisedCampaign> {
  const { store, guard, accountStore, hub, now } = context;
  guard.existing(agentIds);
  if (changes.agent_id !== undefined) assertOwnAgent({ agentIds }, changes.agent_id);
  const before = store.campaign.settings;
  const named = differing(before, patchedSettings(before, changes));
  // A version number belongs to one agent.
  const isOtherAgent = named.agent_id !== undefined && named.agent_id !== before.agent_id;
  const ofVersion: Partial<CampaignSettings> =
    isOtherAgent && named.agent_version === undefined ? { agent_version: "live" } : {};
  const missing = await missingReference(accountStore, named, before.agent_id);
  const { status, importing, settings_revision, settings_by, settings_at } = guard.existing(agentIds);
  if (ifMatch !== null && ifMatch !== settings_revision) {
    const revised_at = settings_at === null ? null : new Date(settings_at).toISOString();
    throw await changedMeanwhile(accountStore, "campaign", { updated_by: settings_by, revised_at });
  }
  // Fields sent with their current values are not changes and are always allowed.
  if (Object.keys(differing(store.campaign.settings, patchedSettings(store.campaign.settings, changes))).length === 0)
    return publish(context);
  if (missing.length > 0) throw invalidFields(missing, "unknown_reference");
  const isStarting = guard.is("starting");
  if (!["draft", "paused"].includes(status) || importing || isStarting) {
    const state = importing ? "importing" : isStarting ? "being started" : status;
    throw conflict("wrong_state", `the settings of a campaign that is ${state} cannot be changed`);
  }
  const { agent_id } = store.campaign.settings;
  const sent = differing(store.campaign.settings, patchedSettings(store.campaign.settings, changes));
  changeSettings(store, Object.assign(sent, ofVersion), author, now());
  // A stream's reader may be allowed to see only the previous agent, so all readers must reconnect.
  if (store.campaign.settings.agent_id !== agent_id) hub.close();
  return publish(context);
}

function differing(before: StoredSettings, sent: Partial<StoredSettings>): Partial<StoredSettings> {
  const changed = changedFields(before, sent);
  return Object.fromEntries(Object.entries(sent).filter(([field]) => field in changed));
}

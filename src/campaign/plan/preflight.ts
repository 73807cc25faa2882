import { DEFAULT_LANGUAGE } from "../../agent/speech/language.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { type ApiError, conflict } from "../../kernel/http/errors.ts";
import { builtIn } from "../../kernel/rendering/built-in.ts";
import { zoneNamed } from "../../kernel/zones/time-zone.ts";
import { zoneColumns } from "../../lists/columns.ts";
import { settingsWithoutEffect, speakerOn, withoutPhrases } from "../../phone/effect/effect.ts";
import type { AccountUsage } from "../decide/explain-waiting.ts";
import { type Warning, warnings } from "../decide/preflight.ts";
import { afterOperation, isOver, type Operation } from "../decide/state.ts";
import type { WaitingGroup } from "../decide/waiting-zone.ts";
import { type CampaignAgent, checkReferences } from "../references.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { campaignTexts } from "./campaign-texts.ts";
import { countElsewhere } from "./destinations.ts";
import { checkVariables } from "./variables.ts";
import { allWaiting } from "./waiting-groups.ts";

export interface PreflightContext {
  env: Env;
  store: CampaignStore;
  accountStore: AccountStore;
}

export interface Preflight {
  warnings: Warning[];
  agent: CampaignAgent | null;
  account_name: string;
  account_timezone: string | null;
}

/** Checks everything that a campaign depends on, for its `waiting` contacts. A finished campaign has no warnings. */
export async function preflight(
  { env, store, accountStore }: PreflightContext,
  { caps }: AccountUsage,
  waiting: WaitingGroup[],
  now: number,
): Promise<Preflight> {
  const { settings, existing } = store.campaign;
  const references = await checkReferences(env, accountStore, settings, now);
  const { agent, account_name, account_timezone, allowed_destinations, obstacles, left_out, provider } = references;
  const isOpen = store.campaign.row !== null && !isOver(existing.status) && existing.importing === 0;
  if (!isOpen) return { warnings: [], agent, account_name, account_timezone };
  const sum = (groups: WaitingGroup[]) => groups.reduce((total, { n }) => total + n, 0);
  const texts = agent ? Object.values(campaignTexts(agent, settings)) : [];
  const call = { direction: "outbound", from_number: settings.from_number ?? "+", to_number: "+" };
  const { name: agent_name = "", language = DEFAULT_LANGUAGE } = agent ?? {};
  const builtInValues = builtIn({ agent_name, account_name, call, timezone: "UTC", language, now });
  const { missing, long } = await checkVariables(store, texts, builtInValues, sum(waiting));
  const notAllowed = await countElsewhere(store, allowed_destinations);
  return {
    agent,
    account_name,
    account_timezone,
    warnings: warnings({
      obstacles,
      agentStatus: agent?.status ?? null,
      schedule: settings.schedule_config,
      timezoneChosen: settings.timezone_chosen,
      timezone: settings.timezone,
      fallbackTimezone: agent?.timezone ?? account_timezone,
      waiting: sum(waiting),
      withoutTimezone: sum(waiting.filter(({ name }) => name === null)),
      zoneColumns: unusedZoneColumns(store),
      missing,
      long,
      leftOut: left_out,
      withoutPhrases: agent && withoutPhrases(agent),
      withoutEffect: agent && provider ? settingsWithoutEffect(agent, speakerOn(env, provider)) : [],
      disclosedInAnother: references.disclosed_in_another,
      notAllowed,
      callsPerDay: caps.calls_per_day,
    }),
  };
}

/** Returns why a strict start or resume is refused; null without warnings, or if the state doesn't allow it anyway. */
export async function strictRefusal(
  context: PreflightContext,
  account: AccountUsage,
  operation: Operation,
  now: number,
): Promise<ApiError | null> {
  const { store } = context;
  if (afterOperation(store.campaign.existing.status, operation) === null) return null;
  const waiting = await allWaiting(store, now);
  if (store.campaign.row === null) return null;
  const { warnings: found } = await preflight(context, account, waiting, now);
  if (found.length === 0) return null;
  return conflict("preflight_warnings", found.map(({ code, message }) => `${code}: ${message}`).join(". "));
}

/** Number of waiting contacts whose cells are read. */
const LOOKED_AT = 50;

/**
 * Returns the columns in which at least half of the filled cells are time zones (Area/City), if no column is used for
 * time zones.
 */
function unusedZoneColumns({ campaign, cells }: CampaignStore): string[] {
  const names: string[] = JSON.parse(campaign.existing.columns);
  if (zoneColumns(names).length > 0) return [];
  const rows = cells.cellsOf(cells.waitingRows(LOOKED_AT));
  return names.filter((_, column) => {
    const filled = rows.map((row) => row[column]?.trim() ?? "").filter((cell) => cell !== "");
    const zones = filled.filter((cell) => /\/|_slash_/i.test(cell) && zoneNamed(cell) !== null);
    return zones.length > 0 && 2 * zones.length >= filled.length;
  });
}

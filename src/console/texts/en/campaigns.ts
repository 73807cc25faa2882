import { counted, formatNumber } from "../format.ts";

const people = (count: number) => counted(count, "person", "people");

/** Why a campaign pauses by itself, and what to do. */
const PAUSED: Partial<Record<string, string>> = {
  agent_missing: "its agent is gone. Choose another.",
  agent_archived: "its agent is archived. Make it active again, or choose another.",
  from_number_missing: "the number it calls from is gone. Choose another.",
  from_number_outbound_disabled: "the number it calls from makes no calls. Choose another.",
  credentials_gone: "the carrier's credentials were deleted. Add them again.",
  credentials_unavailable: "the carrier's credentials cannot be read. Enter them again.",
  carrier_auth: "the carrier refused the credentials. Check them.",
  carrier_funds: "the account at the carrier has no funds left. Top it up there.",
  carrier_caller_id: "the carrier does not let it call from its number. Check the number.",
  carrier_rate: "the carrier asks to go slower. Wait a little.",
  carrier_outage: "the carrier is in trouble. Resume once it is well again.",
  carrier_rejected: "the carrier refuses its calls. Look at the failed ones.",
  carrier_uncertain: "the carrier does not say what became of its calls. Resume once it is well again.",
  no_runtime: "there is nothing to connect its calls to.",
  no_model: "no model answers for its agent. Connect one.",
};

/** The list of campaigns. */
export const campaigns = {
  title: "Campaigns",
  lead: "Lists of people that an agent calls, one list a campaign.",
  add: "New campaign",
  columns: { name: "Name", state: "State", progress: "Progress", agent: "Agent", when: "When" },
  status: { draft: "Draft", running: "Running", paused: "Paused", stopped: "Stopped", completed: "Completed" },
  importing: "Reading its list",
  filters: { status: "State", search: "Search by name", clear: "Clear the filters" },
  emptyTitle: "No campaigns yet",
  empty: "A campaign calls everybody in a CSV file, one after the other, with one of your agents. Begin with the file.",
  noneTitle: "No campaign is like that",
  none: "Nothing fits the filters.",
  paused: (reason: string) => `Paused: ${PAUSED[reason] ?? `${reason}.`}`,
  noAgent: "No agent yet",
  goneAgent: "Deleted agent",
  when: { created: "Created", started: "Started", ended: "Ended" },
  progress: {
    none: "No contacts",
    done: (done: number, all: number) => `${formatNumber(done)} of ${formatNumber(all)}`,
    parts: {
      completed: (count: number) => `${people(count)} reached`,
      failed: (count: number) => `${formatNumber(count)} failed`,
      cancelled: (count: number) => `${formatNumber(count)} cancelled`,
      calling: (count: number) => `${formatNumber(count)} in a call`,
      pending: (count: number) => `${formatNumber(count)} waiting`,
    },
  },
};

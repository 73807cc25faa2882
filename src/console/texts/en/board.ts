import { counted } from "../format.ts";

const people = (count: number) => counted(count, "person", "people");
const contacts = (count: number) => counted(count, "contact", "contacts");

/** Why a campaign pauses by itself, and what to do. */
const PAUSED: Partial<Record<string, string>> = {
  agent_missing: "its agent is gone. Choose another",
  agent_archived: "its agent is archived. Make it active again, or choose another",
  from_number_missing: "the number it calls from is gone. Choose another",
  from_number_outbound_disabled: "the number it calls from makes no calls. Switch them on, or choose another number",
  credentials_gone: "the carrier's credentials were deleted. Add them again",
  credentials_unavailable: "the carrier's credentials cannot be read. Enter them again",
  carrier_auth: "the carrier refused the credentials. Check them",
  carrier_funds: "the account at the carrier has no funds left. Top it up there, then resume",
  carrier_caller_id: "the carrier does not let it call from its number. Check the number",
  carrier_rate: "the carrier asks to go slower. Wait a little, then resume",
  carrier_outage: "the carrier is in trouble. Resume once it is well again",
  carrier_uncertain: "the carrier does not say what became of its calls. Resume once it is well again",
  no_runtime: "there is nothing to connect its calls to. Resume once the service has a runtime",
  no_model: "no model answers for its agent. Connect one",
};

/** One campaign: its state and what can be done with it, its board, its contacts. */
export const board = {
  tabsLabel: "This campaign",
  tabs: { board: "Board", plan: "Plan", import: "Import", settings: "Settings" },
  status: { draft: "Draft", running: "Running", paused: "Paused", stopped: "Stopped", completed: "Completed" },
  stream: { connecting: "Connecting…", live: "Live", lost: "Reconnecting…", ended: "Not live" },
  gone: "This campaign was deleted.",
  /** What there is to say of the state in a sentence. */
  lead: {
    importing: "Its contacts are still being read.",
    draft: (all: number) => (all === 1 ? "1 contact, not called yet." : `${contacts(all)}, nobody called yet.`),
    running: (calls: number) => (calls === 0 ? "No call at the moment." : `${counted(calls, "call", "calls")} now.`),
    scheduled: "Nobody is called before its start.",
    paused: (calls: number) =>
      calls === 0
        ? "Nobody is being called."
        : `Nobody new is called; ${counted(calls, "call", "calls")} still going on.`,
    stopped: "It cannot be started again.",
    completed: "Everybody was called.",
    ends: "Finishes",
  },
  pausedBecause: (reason: string) => `Paused: ${PAUSED[reason] ?? reason}.`,
  /** Where that is mended. */
  screens: { numbers: "Phone numbers", carriers: "Carriers", integrations: "Integrations" },

  review: "Review and start",
  pause: "Pause",
  pausing: "Paused. Calls in progress finish.",
  resume: "Resume",
  resumed: "Running again.",
  stop: "Stop",
  stopTitle: "Stop this campaign?",
  stopBody: (pending: number) =>
    pending === 0
      ? "It cannot be started again."
      : `Stop: ${people(pending)} will not be called. This cannot be undone.`,
  stopVerb: "Stop the campaign",
  stopped: "Stopped.",
  addContacts: "Add contacts",

  outcomes: {
    answered: "Answered",
    no_answer: "No answer",
    busy: "Busy",
    machine: "Machine",
    failed: "Failed",
    rejected: "Refused",
    canceled: "Cancelled call",
    do_not_call: "Do not call",
    unknown: "Unknown",
  },
  many: "more than 10,000",

  redial: {
    action: "Call again…",
    title: "Call people again",
    lead: "Everybody whose call ended so is called once more, whatever the number of tries says.",
    doNotCall: "Called only if their numbers are off the do-not-call list by then.",
    unknown: "What became of these calls is not known: they may have been reached.",
    verb: (count: number | null) => (count ? `Call ${people(count)} again` : "Call again"),
    waits: "They wait until you resume the campaign.",
    opens: "The campaign is open again by this, and paused: they wait until you resume it.",
    done: (count: number) =>
      count === 0 ? "Nobody is left to be called again." : `${contacts(count)} to be called again. Resume to dial.`,
  },
};

import { HOUR_MS, MINUTE_MS } from "../../../../kernel/time.ts";
import { counted, formatNumber } from "../format.ts";
import { codeInWords } from "./codes.ts";

const people = (count: number) => counted(count, "person", "people");
const contacts = (count: number) => counted(count, "contact", "contacts");

/** Why a campaign pauses by itself, and what to do. */
const PAUSED: Partial<Record<string, string>> = {
  agent_missing: "its agent was deleted. Choose another one",
  agent_archived: "its agent is archived. Activate it or choose another one",
  not_published: "its agent was never published. Publish it or choose another one",
  agent_version_missing: "the version of its agent is no longer kept. Choose another one",
  from_number_missing: "its phone number was removed. Choose another one",
  from_number_outbound_disabled: "its phone number doesn't allow outbound calls. Enable them or choose another number",
  credentials_gone: "the carrier's credentials were deleted. Add them again",
  credentials_unavailable: "the carrier's credentials can't be read. Enter them again",
  carrier_auth: "the carrier rejected the credentials. Check them",
  carrier_funds: "the carrier account is out of funds. Top it up, then resume",
  carrier_caller_id: "the carrier doesn't allow calls from this number. Check the number",
  carrier_rate: "the carrier is limiting calls. Wait a moment, then resume",
  no_runtime: "no runtime is available for its calls. Resume once one is configured",
  budget: "a budget is used up. Raise it, or resume in its next period",
  storage_full: "its storage is full. Clone it with the people who are left, and start the clone",
  no_model: "no language model is connected for its agent. Connect one",
};

/** Why a running campaign places no calls at the moment. */
const HELD: Partial<Record<string, string>> = {
  carrier_outage: "The carrier has an outage. The campaign tries again with one call, at least every ten minutes.",
  carrier_uncertain: "The carrier isn't answering. The campaign tries again with one call, at least every ten minutes.",
};

const outcomes = {
  not_called: "Not called",
  answered: "Answered",
  no_answer: "No answer",
  busy: "Busy",
  machine: "Answering machine",
  failed: "Failed",
  rejected: "Rejected",
  canceled: "Call canceled",
  do_not_call: "Do not call",
  unknown: "Unknown",
};
const OUTCOMES: Partial<Record<string, string>> = outcomes;

/** Texts for one campaign: its state, its actions, its board and its contacts. */
export const board = {
  tabsLabel: "This campaign",
  tabs: { board: "Board", plan: "Plan", import: "Import", settings: "Settings" },
  status: { draft: "Draft", running: "Running", paused: "Paused", stopped: "Stopped", completed: "Completed" },
  stream: { connecting: "Connecting…", live: "Live", lost: "Reconnecting…", ended: "Not live" },
  gone: "This campaign was deleted.",
  /** The sentences beside the state. */
  lead: {
    importing: "Contacts are still being imported.",
    draft: (all: number) => (all === 1 ? "1 contact, not called yet." : `${contacts(all)}, none called yet.`),
    running: (calls: number) => (calls === 0 ? "No calls right now." : `${counted(calls, "call", "calls")} now.`),
    scheduled: "No calls until the scheduled start.",
    paused: (calls: number) =>
      calls === 0
        ? "No calls are being placed."
        : `No new calls. ${counted(calls, "call", "calls")} still in progress.`,
    stopped: (calls: number) =>
      calls === 0
        ? "It can't be restarted."
        : `No new calls. ${counted(calls, "call", "calls")} still in progress. It can't be restarted.`,
    completed: "No one left to call.",
  },
  heldBecause: (reason: string) => HELD[reason] ?? null,
  pausedBecause: (reason: string) => `Paused: ${PAUSED[reason] ?? codeInWords(reason).toLowerCase()}.`,
  /** The names of the screens where a pause can be fixed. */
  screens: { budgets: "Budgets", numbers: "Phone numbers", carriers: "Carriers", integrations: "Integrations" },

  review: "Review and start",
  pause: "Pause",
  pausing: "Paused. Calls in progress finish.",
  resume: "Resume",
  resumed: "Running again.",
  stop: "Stop",
  stopTitle: "Stop this campaign?",
  stopBody: (pending: number) =>
    pending === 0 ? "It can't be restarted." : `Stop: ${people(pending)} won't be called. This can't be undone.`,
  stopVerb: "Stop campaign",
  stopped: "Stopped.",
  addContacts: "Add contacts",
  callNotReached: (count: number) => `Call those not reached (${formatNumber(count)})`,
  notReachedName: (name: string) => `${name}, not reached`,
  notReachedDraft: "This new draft has the contacts who weren't reached. Review it, then start it.",

  outcomes,
  outcomeOf: (outcome: string | null): string | undefined =>
    outcome === null ? undefined : (OUTCOMES[outcome] ?? codeInWords(outcome)),
  many: "more than 10,000",

  redial: {
    action: "Call again…",
    title: "Call people again",
    lead: "Everyone whose call ended with one of these outcomes is called once more, even if no retries are left.",
    doNotCall: "Only called if their numbers are no longer on the do-not-call list.",
    unknown: "The outcome of these calls is unknown. They may have been reached.",
    verb: (count: number | null) => (count ? `Call ${people(count)} again` : "Call again"),
    waits: "They'll be called after you resume the campaign.",
    opens: "This reopens the campaign as paused. They'll be called after you resume it.",
    done: (count: number) =>
      count === 0 ? "No one left to call again." : `${contacts(count)} will be called again. Resume to start calling.`,
  },

  contacts: {
    title: "Contacts",
    file: (name: string) => `${name} contacts.csv`,
    found: (count: number) => `${contacts(count)} found`,
    foundSoFar: (count: number) => `${contacts(count)} found so far`,
    emptyTitle: "No contacts",
    empty: "The upload had no valid rows. Add contacts under Import.",
    noneTitle: "No matching contacts",
    none: "Try fewer filters or another search.",
    showAll: "Show all contacts",
    filters: { status: "Status", outcome: "Outcome", search: "Search by number or text", any: "All" },
    columns: {
      number: "Number",
      state: "Status",
      why: "Reason",
      about: "Details",
      tries: "Attempts",
      changed: "Changed",
    },
    status: {
      pending: "Waiting",
      originated: "Ringing",
      connected: "In a call",
      completed: "Answered",
      failed: "Failed",
      cancelled: "Canceled",
    },
    why: {
      turn: "Waiting for its turn",
      draft: "Waiting for start",
      paused: "Campaign paused",
      again: "Called again",
      retry: (outcome: string | null) => {
        const ended = outcome === null ? undefined : OUTCOMES[outcome];
        return ended ? `Waiting for retry: ${ended.toLowerCase()}` : "Waiting for retry";
      },
    },
  },

  progress: {
    title: "Progress",
    done: (done: number, all: number) => `${formatNumber(done)} of ${contacts(all)} called`,
    parts: { ...outcomes, not_reached: "Not reached", calls: "In a call", cancelled: "Canceled", waiting: "Waiting" },
  },
  overTime: {
    title: "Outcomes over time",
    /** The unit of the chart, by the length of an interval, ms. */
    unit: (lengthMs: number) =>
      lengthMs < MINUTE_MS
        ? `calls every ${counted(lengthMs / 1000, "second", "seconds")}`
        : lengthMs < HOUR_MS
          ? `calls every ${counted(Math.round((lengthMs / MINUTE_MS) * 10) / 10, "minute", "minutes")}`
          : `calls every ${counted(Math.round((lengthMs / HOUR_MS) * 10) / 10, "hour", "hours")}`,
    none: "Appears when calls have ended.",
    short: (answered: number, failed: number) =>
      `${formatNumber(answered)} answered, ${formatNumber(failed)} not reached. Too little time for a chart.`,
    lines: { answered: "Answered", failed: "Not reached", again: "To retry" },
    summary: (answered: number, failed: number) =>
      `Calls over time: ${formatNumber(answered)} answered, ${formatNumber(failed)} not reached.`,
  },
  calls: {
    title: "Calls now",
    limits: "Limits",
    campaign: "This campaign",
    account: "Account, concurrent",
    minute: "Account, this minute",
    day: "Account, today",
    asOf: "Account as of",
    of: (used: number, limit: string) => `${formatNumber(used)} of ${limit}`,
    free: (used: number) => `${formatNumber(used)}, no limit set`,
  },
  waiting: {
    title: "Waiting",
    plan: "Plan",
    schedule: (n: number) => `${people(n)} waiting for the scheduled start.`,
    window: (n: number) => `${people(n)} waiting for their calling hours.`,
    retry: (n: number) => `${people(n)} waiting for a retry.`,
    cap: (n: number) => `${people(n)} waiting for their turn (concurrent call limit reached).`,
    next: (n: number) => `${people(n)} next in line.`,
    paused: (n: number) => `${people(n)} waiting for the campaign to resume.`,
    doNotCall: (n: number) => `${people(n)} on the do-not-call list (won't be called).`,
    nobody: "No one is waiting.",
    finishes: "Estimated finish",
  },

  contact: {
    title: "Contact",
    number: "Number",
    takenNumber: "Another contact in this campaign has this number.",
    again: "Called again",
    disposition: "Disposition",
    timezone: "Time zone",
    calls: "Calls",
    variables: "Variables",
    correct: "Number and variables",
    noCalls: "Not called yet.",
    noVariables: "No variables.",
    waits: (why: string) => `Not called yet: ${why}.`,
    goesOn: "In progress",
    call: (nth: number) => `Call ${nth}`,
    toCall: "Call",
    toConversation: "Conversation",
    rang: (length: string) => `Rang ${length}`,
    talked: (length: string) => `Talked ${length}`,
    messageLeft: "Left a message",
    cancel: "Cancel contact",
    cancelTitle: "Cancel this contact?",
    cancelBody: (number: string) => `This campaign won't call ${number}. This can't be undone.`,
    cancelVerb: "Cancel contact",
    keep: "Keep",
    cancelled: "Canceled. This contact won't be called.",
  },
};

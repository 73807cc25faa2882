import { counted, formatNumber } from "../format.ts";
import { codeInWords } from "./codes.ts";

const people = (count: number) => counted(count, "person", "people");
const contacts = (count: number) => counted(count, "contact", "contacts");

const wait = (count: number) => (count === 1 ? "waits" : "wait");

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

const outcomes = {
  not_called: "Not called",
  answered: "Answered",
  no_answer: "No answer",
  busy: "Busy",
  machine: "Machine",
  failed: "Failed",
  rejected: "Refused",
  canceled: "Call cancelled",
  do_not_call: "Do not call",
  unknown: "Unknown",
};
const OUTCOMES: Partial<Record<string, string>> = outcomes;

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
    completed: "Nobody is left to call.",
  },
  pausedBecause: (reason: string) => `Paused: ${PAUSED[reason] ?? codeInWords(reason).toLowerCase()}.`,
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
  callNotReached: (count: number) => `Call those not reached (${formatNumber(count)})`,
  notReachedName: (name: string) => `${name}, not reached`,
  notReachedDraft: "This is a new draft of them. Review it, then start it.",

  outcomes,
  outcomeOf: (outcome: string | null): string | undefined =>
    outcome === null ? undefined : (OUTCOMES[outcome] ?? codeInWords(outcome)),
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

  contacts: {
    title: "Contacts",
    file: (name: string) => `${name} contacts.csv`,
    found: (count: number) => `${contacts(count)} found`,
    foundSoFar: (count: number) => `${contacts(count)} found so far`,
    emptyTitle: "No contacts",
    empty: "The upload had no rows that could be called. Add contacts under Import.",
    noneTitle: "Nobody like that",
    none: "No contact of this campaign fits what you are looking for.",
    showAll: "Show all contacts",
    hold: "Hold the order",
    release: (changes: number) =>
      changes === 0 ? "Newest change first" : `Newest change first (${counted(changes, "change", "changes")})`,
    filters: { status: "State", outcome: "Outcome", search: "Number, name, …", any: "Any" },
    columns: { number: "Number", state: "State", why: "Why", about: "About", tries: "Tries", changed: "Changed" },
    status: {
      pending: "Waiting",
      originated: "Ringing",
      connected: "On the phone",
      completed: "Answered",
      failed: "Failed",
      cancelled: "Cancelled",
    },
    why: {
      turn: "Waits for its turn",
      draft: "Waits for the start",
      paused: "Waits: paused",
      again: "Again",
      retry: (outcome: string | null) => {
        const ended = outcome === null ? undefined : OUTCOMES[outcome];
        return ended ? `Waits for another try: ${ended.toLowerCase()}` : "Waits for another try";
      },
    },
  },

  progress: {
    title: "Progress",
    done: (done: number, all: number) => `${formatNumber(done)} of ${contacts(all)} done`,
    parts: { ...outcomes, not_reached: "Not reached", calls: "In a call", cancelled: "Cancelled", waiting: "Waiting" },
  },
  overTime: {
    title: "How calls ended",
    /** How many calls each point is of, by the time it lasts, ms. */
    unit: (lengthMs: number) =>
      lengthMs < 60_000
        ? `calls every ${counted(lengthMs / 1000, "second", "seconds")}`
        : lengthMs < 3_600_000
          ? `calls every ${counted(Math.round(lengthMs / 6_000) / 10, "minute", "minutes")}`
          : `calls every ${counted(Math.round(lengthMs / 360_000) / 10, "hour", "hours")}`,
    none: "Shows once calls have ended.",
    short: (answered: number, failed: number) =>
      `${formatNumber(answered)} answered, ${formatNumber(failed)} did not reach anybody, all within a moment: too short a time for a plot.`,
    lines: { answered: "Answered", failed: "Not reached", again: "To be tried again" },
    summary: (answered: number, failed: number) =>
      `Calls over time: ${formatNumber(answered)} answered, ${formatNumber(failed)} did not reach anybody.`,
  },
  calls: {
    title: "Calls now",
    limits: "Limits",
    campaign: "This campaign",
    account: "The account, at once",
    minute: "The account, this minute",
    day: "The account, today",
    of: (used: number, limit: string) => `${formatNumber(used)} of ${limit}`,
    free: (used: number) => `${formatNumber(used)}, no limit of its own`,
  },
  waiting: {
    title: "Why the rest waits",
    plan: "Plan",
    schedule: (n: number) => `${people(n)} ${wait(n)} for the scheduled start.`,
    window: (n: number) => `${people(n)} ${wait(n)} for their calling window to open.`,
    retry: (n: number) => `${people(n)} ${wait(n)} until another try is due.`,
    cap: (n: number) => `${people(n)} ${wait(n)} for their turn: no more calls may be made at once.`,
    next: (n: number) => `${people(n)} ${n === 1 ? "is" : "are"} called next.`,
    paused: (n: number) => `${people(n)} ${wait(n)} for the campaign to go on.`,
    doNotCall: (n: number) => `${people(n)} ${n === 1 ? "is" : "are"} on the do-not-call list: not called.`,
    nobody: "Nobody waits for anything.",
    finishes: "At this pace it finishes",
  },

  contact: {
    title: "Contact",
    number: "Number",
    wrongNumber: "That is no international number. Write it like +12025550100.",
    takenNumber: "Another contact of this campaign has this number.",
    again: "Called again",
    disposition: "Disposition",
    timezone: "Time zone",
    calls: "Calls",
    variables: "Variables",
    correct: "Number and variables",
    noCalls: "Not called yet.",
    noVariables: "The upload had no other columns.",
    waits: (why: string) => `Not called yet: ${why}.`,
    goesOn: "Goes on",
    call: (nth: number) => `Call ${nth}`,
    toCall: "Call",
    toConversation: "Conversation",
    rang: (length: string) => `Rang ${length}`,
    talked: (length: string) => `Talked ${length}`,
    messageLeft: "Left a message",
    cancel: "Do not call",
    cancelTitle: "Take this contact out?",
    cancelBody: (number: string) => `${number} will not be called by this campaign. This cannot be undone.`,
    cancelVerb: "Do not call",
    keep: "Keep",
    cancelled: "Taken out: it will not be called.",
  },
};

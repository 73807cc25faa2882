import { counted, formatNumber } from "../format.ts";

const people = (count: number) => counted(count, "person", "people");

/** What a campaign would do, and what to look at before it begins. */
export const campaignPlan = {
  ready: "Ready to start",
  readyLead: (count: number) => `${people(count)} will be called.`,
  warned: (count: number) => `${counted(count, "thing", "things")} to review first`,
  blocked: "Can't start yet",
  running: "Running",
  over: "This campaign is over. No more calls will be placed.",
  importing: "Contacts are still being imported.",
  start: "Start calling",
  startAnyway: "Start anyway…",
  resume: "Resume",
  resumeAnyway: "Resume anyway…",
  anywayTitle: "Start anyway?",
  anywayBody: (count: number) => `${people(count)} will be called with the current setup. Calls can't be undone.`,
  startTitle: "Start calling?",
  startBody: (count: number, next: string | null) =>
    `${people(count)} will be called${next === null ? "" : `, the first ${next}`}. You can pause it at any time.`,
  started: "Started.",
  cameUp: "Not started. Something changed since you opened this page; see above.",
  cannot: "Fix this first. The campaign can't start without it.",
  mend: {
    incomplete: "Open settings",
    agent_archived: "Open the agent",
    agent_draft: "Open the agent",
    no_runtime: "Open the phone numbers",
    no_model: "Open the integrations",
    no_timezone: "Set a time zone",
    missing_variables: "Edit the agent's prompt",
    caps: "View limits",
  },
  addColumns: "Add columns",
  warnings: {
    unset: {
      both: "Choose an agent and a number to call from.",
      agent: "Choose an agent.",
      number: "Choose a number to call from.",
    },
    noTimezone: (count: number, zone: string) =>
      `${people(count)} without a known time zone would be called during these hours in ${zone}. Set a time zone.`,
    title: {
      incomplete: "Incomplete settings",
      agent_archived: "The agent is archived",
      agent_draft: "The agent is a draft",
      no_runtime: "No runtime for calls",
      no_model: "No model connected",
      no_timezone: "No time zone",
      missing_variables: "Missing values",
      caps: "More contacts than calls per day",
    },
  },
  samples: "What people will hear first",
  samplesLead: "How the agent would greet the first contacts in the file.",
  noGreeting: "Choose an agent to see what it says.",
  silent: "The agent waits for the person to speak first.",
  missing: (names: string) => `No value for ${names}`,
  clock: (zone: string) => `${zone} time`,
  forecast: {
    title: "Forecast",
    next: "First call",
    nextAgain: "Next call",
    /** When the first call would be due by now. */
    atOnce: { atRest: "As soon as you start it", running: "Now" },
    finishes: "Finishes",
    never: "Never. The calling hours don't open within a year.",
    nobody: "Nobody left to call",
    assumed: (calls: number, minute: number, day: number, seconds: number) =>
      `Estimated for ${counted(calls, "concurrent call", "concurrent calls")}, ${formatNumber(minute)} per minute, ${formatNumber(day)} per day, ${formatNumber(Math.round(seconds))}-second calls and no retries.`,
  },
  waiting: {
    title: "Waiting",
    none: "Nobody is waiting.",
    ready: (count: number) => `${people(count)} ready to call now`,
    schedule: (count: number) => `${people(count)} waiting for the scheduled start`,
    window: (count: number) => `${people(count)} waiting for their calling hours`,
    retry: (count: number) => `${people(count)} waiting for a retry`,
    cap: (count: number) => `${people(count)} waiting for their turn`,
    do_not_call: (count: number) => `${people(count)} on the do-not-call list (won't be called)`,
  },
  zones: {
    title: "Time zones",
    own: "contact's",
    campaign: "campaign's",
    others: "Other zones",
    contacts: (count: number) => people(count),
  },
};

import { counted, formatNumber } from "../format.ts";

const people = (count: number) => counted(count, "person", "people");

/** What a campaign would do, and what to look at before it begins. */
export const campaignPlan = {
  ready: "Ready to start",
  readyLead: (count: number) => `Nothing stands in the way. ${people(count)} will be called.`,
  warned: (count: number) => `${counted(count, "thing", "things")} to look at first`,
  blocked: "It cannot start yet",
  running: "It is running",
  over: "It is over: nobody is called any more.",
  importing: "Its contacts are still being read.",
  start: "Start calling",
  startAnyway: "Start in spite of this…",
  resume: "Resume",
  resumeAnyway: "Resume in spite of this…",
  anywayTitle: "Start in spite of this?",
  anywayBody: (count: number) => `${people(count)} will be called as it is. Calls that were made cannot be taken back.`,
  startTitle: "Start calling?",
  startBody: (count: number, next: string | null) =>
    `${people(count)} will be called${next === null ? "" : `, the first ${next}`}. You can pause it at any time.`,
  started: "Started.",
  cameUp: "Not started: something has come up since you opened this page. It is named above.",
  cannot: "Mend this first: it would not start.",
  mend: {
    incomplete: "Open its settings",
    agent_archived: "Open the agent",
    agent_draft: "Open the agent",
    no_runtime: "Open the phone numbers",
    no_model: "Open the integrations",
    no_timezone: "Set a time zone",
    missing_variables: "Change the agent's texts",
    caps: "Look at the limits",
  },
  addColumns: "Add the columns",
  warnings: {
    unset: {
      both: "Choose the agent that talks and the number it calls from.",
      agent: "Choose the agent that talks.",
      number: "Choose the number it calls from.",
    },
    noTimezone: (count: number, zone: string) =>
      `${people(count)} without a time zone of their own would be called at these hours in ${zone}. Say whose clock it is.`,
    title: {
      incomplete: "Something is not set",
      agent_archived: "The agent is archived",
      agent_draft: "The agent is a draft",
      no_runtime: "Calls have nothing to connect to",
      no_model: "No model answers",
      no_timezone: "No time zone",
      missing_variables: "Values are missing",
      caps: "More contacts than calls a day",
    },
  },
  samples: "What people will hear first",
  samplesLead: "The first contacts of the file, greeted as they would be now.",
  noGreeting: "Choose an agent to see what it says.",
  silent: "The agent says nothing before the person does.",
  missing: (names: string) => `No value for ${names}`,
  clock: (zone: string) => `called by the clock of ${zone}`,
  forecast: {
    title: "When",
    next: "First call",
    nextAgain: "Next call",
    /** When the first call would be due by now. */
    atOnce: { atRest: "As soon as it is started", running: "Now" },
    finishes: "Done",
    never: "Never: its hours do not open within a year",
    nobody: "Nobody is left to be called",
    assumed: (calls: number, minute: number, day: number, seconds: number) =>
      `Reckoned with ${formatNumber(calls)} calls at once, ${formatNumber(minute)} a minute, ${formatNumber(day)} a day, calls of ${formatNumber(Math.round(seconds))} seconds and nobody called twice.`,
  },
  waiting: {
    title: "Who waits for what",
    none: "Nobody waits.",
    ready: (count: number) => `${people(count)} can be called right away`,
    schedule: (count: number) => `${people(count)} wait for the start`,
    window: (count: number) => `${people(count)} wait for their calling hours`,
    retry: (count: number) => `${people(count)} wait until another try is due`,
    cap: (count: number) => `${people(count)} wait for their turn`,
    do_not_call: (count: number) => `${people(count)} are on the do-not-call list and are not called`,
  },
  zones: {
    title: "By which clocks",
    own: "their own",
    campaign: "the campaign's",
    others: "Other zones",
    contacts: (count: number) => people(count),
  },
};

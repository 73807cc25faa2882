import { counted } from "../format.ts";

/** The first screen: what goes on now, and what needs attention. */
export const overview = {
  title: "Overview",
  windows: { "24h": "24 hours", "7d": "7 days", "14d": "14 days" },
  window: "How far back",

  attention: "Needs attention",
  allWell: "Nothing needs attention.",
  paused: "Paused by hand.",
  waiting: (contacts: number) => `${counted(contacts, "contact waits", "contacts wait")}.`,
  notReady: (missing: string) => `Installed, and still lacks: ${missing}.`,
  notReadyReason: (reason: string) => `Installed, and not ready: ${reason}.`,
  checkFailed: (failed: string) => `Failed its last check: ${failed}.`,
  checks: {
    owned: "the carrier account does not have it",
    webhook_reachable: "the carrier cannot reach this service",
    inbound_address: "calls to it do not arrive here",
    runtime_reachable: "nothing answers its calls",
  },
  unchecked: "Never checked.",
  uncheckedMany: (numbers: number) => `${numbers} of them were never checked.`,
  numbers: "Phone numbers",
  capFull: (used: string) => `All ${used} are in use.`,
  capNear: (used: string, limit: string) => `${used} of ${limit} are in use.`,
  see: {
    campaign: "Open the campaign",
    integration: "Complete it",
    number: "Open the number",
    numbers: "Check them",
    limits: "See the limits",
  },
  more: (items: number) => `Show ${counted(items, "more", "more")}`,

  now: "Calls now",
  running: "Running campaigns",
  allCampaigns: "All campaigns",
  noneRunning: "No campaign is running.",
  newCampaign: "New campaign",
  progress: (done: string, total: string) => `${done} of ${total}`,
  progressLabel: (name: string) => `${name}: contacts that are done`,
  onThePhone: (calls: number) => (calls === 0 ? "no call at the moment" : `${counted(calls, "call", "calls")} now`),
  reached: (contacts: string) => `${contacts} reached`,

  calls: "Calls",
  summary: (calls: number, rate: string | null, talked: string) =>
    rate === null
      ? counted(calls, "call", "calls")
      : `${counted(calls, "call", "calls")}, ${rate} answered, ${talked} talked`,
  outcomes: "How they ended",
  outcomesLabel: (window: string) => `Calls by how they ended, the last ${window}`,
  rate: "Answer rate",
  rateLabel: (window: string) => `Share of calls that were answered, the last ${window}`,
  outcome: {
    answered: "Answered",
    machine: "Machine",
    no_answer: "No answer",
    busy: "Busy",
    failed: "Failed",
    not_made: "Called off",
  },
  noCalls: (window: string) => `No calls in the last ${window}.`,

  recent: "Recent conversations",
  allConversations: "All conversations",
  noConversations: "Conversations appear here as soon as somebody talks with one of your agents.",
  columns: { with: "With", agent: "Agent", disposition: "Outcome", duration: "Duration", began: "Began" },
  visitor: "A visitor of the widget",
  live: "Live",

  steps: "First steps",
  stepsLead: "Four steps to the first campaign. Each is done once, and can be changed at any time.",
  hideSteps: "Hide",
  done: "Done",
  step: {
    agent: {
      title: "Make an agent",
      lead: "Take one from the marketplace, or write its prompt yourself.",
      verb: "Choose a template",
    },
    talk: { title: "Talk to it", lead: "Hear how it does before anybody else does.", verb: "Talk to it" },
    number: {
      title: "Add a phone number",
      lead: "One of your carrier's, or one that only pretends to call.",
      verb: "Add a number",
    },
    campaign: {
      title: "Start a campaign",
      lead: "Drop a list of contacts, and see what would happen first.",
      verb: "New campaign",
    },
  },
};

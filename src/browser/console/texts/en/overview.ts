import { counted } from "../format.ts";

/** Texts for the first screen: live activity, and problems that need attention. */
export const overview = {
  title: "Overview",
  windows: { "24h": "24 hours", "7d": "7 days", "14d": "14 days" },
  window: "Time range",

  attention: "Needs attention",
  allWell: "Nothing needs attention.",
  paused: "Paused manually.",
  waiting: (contacts: number) => `${counted(contacts, "contact", "contacts")} waiting.`,
  notReady: (missing: string) => `Setup incomplete. Missing: ${missing}.`,
  notReadyReason: (reason: string) => `Not ready: ${reason}.`,
  checkFailed: (failed: string) => `Failed its last check: ${failed}.`,
  checks: {
    owned: "number not confirmed by the carrier",
    webhook_reachable: "the carrier can't reach this service",
    inbound_address: "inbound calls don't arrive here",
    runtime_reachable: "no runtime answers its calls",
  },
  unchecked: "Never checked.",
  uncheckedMany: (numbers: number) => `${numbers} have never been checked.`,
  numbers: "Phone numbers",
  capFull: (used: string) => `All ${used} are in use.`,
  capNear: (used: string, limit: string) => `${used} of ${limit} are in use.`,
  see: {
    campaign: "Open campaign",
    agent: "Open agent",
    integration: "Finish setup",
    number: "Open number",
    numbers: "Check numbers",
    limits: "View limits",
    agents: "Open agents",
  },
  more: (items: number) => `Show ${counted(items, "more", "more")}`,

  now: "Calls now",
  running: "Running campaigns",
  allCampaigns: "All campaigns",
  noneRunning: "No campaigns running.",
  newCampaign: "New campaign",
  progress: (done: string, total: string) => `${done} of ${total}`,
  progressLabel: (name: string) => `${name}: contacts done`,
  onThePhone: (calls: number) => (calls === 0 ? "no calls right now" : `${counted(calls, "call", "calls")} now`),
  reached: (contacts: string) => `${contacts} reached`,

  calls: "Calls",
  summary: (calls: number, rate: string | null, talked: string) =>
    rate === null
      ? counted(calls, "call", "calls")
      : `${counted(calls, "call", "calls")}, ${rate} answered, ${talked} talked`,
  outcomes: "Outcomes",
  outcomesLabel: (window: string) => `Calls by outcome, last ${window}`,
  rate: "Answer rate",
  rateLabel: (window: string) => `Share of calls answered, last ${window}`,
  outcome: {
    answered: "Answered",
    machine: "Answering machine",
    no_answer: "No answer",
    busy: "Busy",
    failed: "Failed",
    not_made: "Not placed",
  },
  noCalls: (window: string) => `No calls in the last ${window}.`,

  recent: "Recent conversations",
  allConversations: "All conversations",
  noConversations: "Conversations appear here when someone talks to one of your agents.",
  columns: { with: "With", agent: "Agent", disposition: "Disposition", duration: "Duration", began: "Started" },
  visitor: "Widget visitor",
  live: "In progress",

  steps: "Get started",
  stepsLead: "Four steps to your first campaign. You can change everything later.",
  hideSteps: "Hide",
  done: "Done",
  step: {
    agent: {
      title: "Create an agent",
      lead: "Pick one from the marketplace or write your own prompt.",
      verb: "Browse templates",
    },
    talk: { title: "Talk to your agent", lead: "Try it before your customers do.", verb: "Talk to agent" },
    number: {
      title: "Register a phone number",
      lead: "Use one from your carrier, or a sandbox number that doesn't place real calls.",
      verb: "Register a number",
    },
    campaign: {
      title: "Start a campaign",
      lead: "Upload your contacts and preview the campaign before it starts.",
      verb: "New campaign",
    },
  },
};

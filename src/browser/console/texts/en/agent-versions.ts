import { counted } from "../format.ts";

/** Texts for the versions of an agent: what is published, what has changed since, and earlier versions. */
export const agentVersions = {
  title: "Versions",
  lead:
    "A version is the whole agent: its texts, voice, tools, playbooks, FAQs and settings. A version never " +
    "changes.",
  version: (number: number) => `Version ${number}`,
  draft: "Draft",
  unused: "Not numbered yet",
  unusedMore: "Live. It gets a number with its first conversation, or when you publish it.",
  unusedDraft: "It gets a number with its first conversation, or when you put the agent into service.",
  live: "Live",
  current: "Current",
  byYou: "by you",
  byOthers: "by someone else",
  byKey: "by an API key",
  by: (name: string) => `by ${name}`,
  byKeyNamed: (name: string) => `by the API key ${name}`,
  published: "Published",
  firstUsed: "First used",
  testsPassed: "Tests passed",
  testsFailed: (count: number) => `${counted(count, "test", "tests")} failed`,
  emptyTitle: "No versions yet",
  emptyManual: "Publish the draft to create version 1. Until then the agent isn't in service.",
  emptyAuto: "The first conversation, test run or publish creates version 1.",

  compareWith: "Compare with",
  nothing: "Nothing (show full version)",
  changesFrom: (from: string, to: string) => `What changes from ${from} to ${to}`,
  asDraft: "the draft",
  asSaved: "the current draft",
  asVersion: (number: number) => `version ${number}`,
  savedNow: "Current draft",
  same: "Both are exactly the same.",
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  none: "(nothing)",
  was: "Before:",
  becomes: "After:",
  orderOf: (kind: string) => `Order of ${kind}`,
  kinds: { tools: "tools", playbooks: "playbooks", faqs: "FAQs", knowledge: "documents" },
  one: { tools: "Tool", playbooks: "Playbook", faqs: "FAQ", knowledge: "Document" },

  texts: {
    changes: "Line-by-line changes",
    noChanges: "The texts are the same.",
    unchanged: (lines: number) => `Show ${counted(lines, "unchanged line", "unchanged lines")}`,
    kinds: { removed: "Removed:", added: "Added:", same: "" },
  },

  whole: {
    saidFirst: "Greeting",
    prompt: "System prompt",
    settings: "Settings",
    none: "None",
    off: "off",
  },

  restore: (number: number) => `Restore version ${number}`,
  restoreTitle: (number: number) => `Restore version ${number}?`,
  restoreAuto:
    "The agent returns to this version, and new conversations use it immediately. The current draft stays in the list.",
  restoreManual: "The current draft is replaced by this version. Nothing changes for callers until you publish it.",
  restoreTexts:
    "FAQs, playbooks and tools that were edited since keep this version's text for this agent only. Deleted ones are created again.",
  restored: (number: number) => `Version ${number} is restored`,
  restoredDraft: (number: number) => `The draft is version ${number} again. Publish it to make it live.`,

  bar: {
    label: "What is published",
    same: (number: number) => `Version ${number} is live, and the draft is the same.`,
    changes: (count: number, number: number) =>
      `${counted(count, "change", "changes")} since version ${number} was published. Callers still get version ${number}.`,
    more: (count: number) => `${count} more`,
    show: "View changes",
    publish: "Publish…",
    publishVersion: (number: number) => `Publish version ${number}…`,
    unknown: "What changed since the last publish can't be shown right now.",
  },

  publish: {
    title: "Publish this agent",
    titleOf: (number: number) => `Publish version ${number}`,
    leadOf: (number: number) =>
      `New conversations then use version ${number}. Conversations in progress keep their version, and the draft doesn't change.`,
    thisDraft: "this draft",
    thisVersion: "this version",
    serviceTitle: "Put this agent into service",
    serviceLead:
      "The current draft is published, and the agent becomes active: callers of its numbers, visitors of its widget and its campaigns get this version.",
    inService: "The agent is in service",
    lead: "New conversations then use the current draft. Conversations in progress keep their version.",
    leadAuto:
      "Saved changes are already live. Publishing adds a version number and a note, so you can find this state later.",
    note: "Note",
    noteHint: "Optional. The list of versions shows it.",
    noteSample: "Offers appointments on Saturdays",
    verb: "Publish",
    published: (number: number) => `Version ${number} is published`,
    tests_not_run: (what: string) => `Required tests weren't run on ${what} yet`,
    tests_failed: (what: string) => `Required tests fail on ${what}`,
    nextNotRun: "Run them now. Once they pass, you can publish.",
    nextFailed: "Fix the failing tests, then run them again.",
    run: "Run required tests",
    runAgain: "Run them again",
    running: (done: number, all: number) => `Running: ${done} of ${all} conversations completed…`,
    passed: (what: string) => `All required tests pass on ${what}. You can publish it now.`,
    failed: (count: number) => `${counted(count, "conversation", "conversations")} didn't go as expected.`,
    notJudged: (count: number) =>
      `${counted(count, "required test", "required tests")} couldn't be judged because the language model failed.`,
    brokeOff: "The run stopped early.",
    see: "View results",
    anyway: "Publish anyway…",
    anywayTitle: "Publish although required tests don't pass?",
    anywayBody:
      "Callers get this version at once. The audit log says that you published it without passing its required tests.",
    anywayVerb: "Publish anyway",
  },

  versioning: {
    legend: "Publishing",
    label: "Changes go live",
    choices: { auto: "At once, when saved", manual: "When published" },
    hints: {
      auto: "The next conversation uses every saved change. Versions are still kept, so you can go back.",
      manual:
        "Saving changes a draft. Callers get the version that was published last, and required tests must pass before the next one.",
    },
    toManualTitle: "Turn on drafts?",
    toManualBody:
      "This agent was never published. Publish the live content to keep the agent in service while you work on a draft. Otherwise it isn't in service until you publish it.",
    toManualConcerned: "Without publishing, these stop working:",
    toManualNumber: (number: string) => `Calls to ${number} aren't answered.`,
    toManualCampaign: (name: string) => `The campaign “${name}” pauses.`,
    toManualWidget: (name: string) => `Pages with the widget key “${name}” don't show the widget.`,
    toManualDraftBody: "This agent is a draft and was never published. Put it into service once it is ready.",
    toManualDraftVerb: "Turn on drafts",
    toManualPublish: "Publish the live content and switch",
    toManualVerb: "Switch without publishing",
    toAutoTitle: "Put the draft live?",
    toAutoBody: "New conversations then use the current draft, with every change made since the last publish.",
    toAutoVerb: "Save and go live",
  },
};

import { counted } from "../format.ts";

/** An agent as a whole: what of it is published, what was changed since, and what it was before. */
export const agentVersions = {
  title: "Versions",
  lead: "A version is the whole agent: its texts, voice, tools, playbooks, FAQs and settings. It never changes once made.",
  version: (number: number) => `Version ${number}`,
  draft: "Draft",
  unused: "Not numbered yet",
  unusedMore: "Live. It gets a number with its first conversation, or when you publish it.",
  live: "Live",
  noNote: "No note",
  byYou: "by you",
  byOthers: "by someone else",
  byKey: "by an API key",
  by: (name: string) => `by ${name}`,
  byKeyNamed: (name: string) => `by the API key ${name}`,
  published: "Published",
  firstUsed: "First used",
  neverPublished: "Never published",
  testsPassed: "Tests passed",
  testsFailed: (count: number) => `${counted(count, "test", "tests")} failed`,
  emptyTitle: "No versions yet",
  emptyManual: "Publish the draft to make version 1. Until then the agent takes and places no calls.",
  emptyAuto: "The first conversation, test or publish makes version 1.",

  compareWith: "Compare with",
  nothing: "Nothing: show it whole",
  changesFrom: (from: string, to: string) => `What changes from ${from} to ${to}`,
  asDraft: "the draft",
  asSaved: "what is saved now",
  asVersion: (number: number) => `version ${number}`,
  savedNow: "What is saved now",
  same: "Both are exactly the same.",
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  none: "(nothing)",
  was: "Before:",
  becomes: "After:",
  orderOf: (kind: string) => `Order of ${kind}`,
  kinds: { tools: "tools", playbooks: "playbooks", faqs: "FAQs" },
  one: { tools: "Tool", playbooks: "Playbook", faqs: "FAQ" },

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
    "The agent becomes what it was in this version, and new conversations use it at once. What is saved now stays in the list.",
  restoreManual:
    "The draft becomes what the agent was in this version. Nothing changes for callers until you publish it. The draft as it is now is replaced.",
  restoreTexts:
    "FAQs, playbooks and tools that were edited since are held at the text of this version for this agent alone; deleted ones are created again.",
  restored: (number: number) => `Version ${number} is restored`,
  restoredDraft: (number: number) => `The draft is version ${number} again. Publish it to make it live.`,

  bar: {
    label: "What is published",
    never: "Never published: this agent takes and places no calls, and no visitor meets it.",
    neverMore: "Publish the draft to put it to work.",
    same: (number: number) => `Version ${number} is live, and the draft is the same.`,
    changes: (count: number, number: number) =>
      `${counted(count, "change", "changes")} since version ${number} was published. Callers still meet version ${number}.`,
    more: (count: number) => `${count} more`,
    show: "See what changed",
    publish: "Publish…",
    unknown: "What changed since the last publish can't be shown right now.",
  },

  publish: {
    title: "Publish this agent",
    lead: "From then on, new conversations use what is saved now. Those under way stay with their version.",
    leadAuto: "What is saved is live already. Publishing gives it a number and a note to find it by.",
    note: "Note",
    noteHint: "What changed, for whoever looks at the list of versions later. Optional.",
    noteSample: "Offers appointments on Saturdays",
    verb: "Publish",
    published: (number: number) => `Version ${number} is published`,
    tests_not_run: "Required tests weren't run on this draft yet",
    tests_failed: "Required tests fail on this draft",
    nextNotRun: "Run them now. Once they pass, you can publish.",
    nextFailed: "Look at what fails, mend it, and run them again.",
    run: "Run required tests",
    runAgain: "Run them again",
    running: (done: number, all: number) => `Running: ${done} of ${all} conversations held…`,
    passed: "All required tests pass on this draft. You can publish it now.",
    failed: (count: number) => `${counted(count, "conversation", "conversations")} didn't go as expected.`,
    notJudged: (count: number) =>
      `${counted(count, "required test", "required tests")} couldn't be judged because the language model failed.`,
    brokeOff: "The run broke off before its end.",
    see: "See the results",
    anyway: "Publish anyway…",
    anywayTitle: "Publish although required tests don't pass?",
    anywayBody:
      "Callers meet this version at once. The audit log says that you published it without passing its required tests.",
    anywayVerb: "Publish anyway",
  },

  versioning: {
    legend: "Publishing",
    label: "Changes go live",
    choices: { auto: "At once, when saved", manual: "When published" },
    hints: {
      auto: "Whatever anyone saves is used by the next conversation. Versions are still kept, so you can go back.",
      manual:
        "Saving changes a draft. Callers meet the version that was published last, and required tests must pass before the next one.",
    },
    toManualTitle: "Take this agent out of service?",
    toManualBody:
      "It was never published. Once saved, it takes and places no calls and meets no visitors until you publish it. Publish it first to keep it in service.",
    toManualVerb: "Save, publish later",
    toAutoTitle: "Put the draft live?",
    toAutoBody: "Once saved, new conversations use what is saved now, with every change made since the last publish.",
    toAutoVerb: "Save and go live",
  },
};

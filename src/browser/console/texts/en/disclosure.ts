/** Texts for the disclosure, which agents speak before anything else. */
export const disclosure = {
  title: "Disclosure",
  mode: "Say that the agent is an AI",
  modeHint: "Spoken by the carrier before the agent's first word, and shown first in the widget and in tests.",
  modes: { off: "Nowhere", calls: "On calls", everywhere: "On calls, in the widget and in tests" },
  texts: "Sentences by language",
  textsHint:
    "One per line: a language tag, a colon and the sentence, up to 300 characters. {{account_name}} is filled in. Languages without a sentence get the English one.",
  textsPlaceholder: "en: You are talking to an AI assistant of {{account_name}}.",
  agent: "Disclosure",
  agentHint:
    "What the agent says about itself before its first word. Changes apply at once, to published versions too.",
  agentModes: { account: "As in the call settings", texts: "Its own sentences", off: "None" },
  needsManage: "Only owners and admins can change it, except back to the call settings.",
  hows: {
    spoken: "Spoken first",
    shown: "Shown first",
    reported: "Reported by the runtime",
    missing: "Missing",
    not_required: "Not required",
  },
};

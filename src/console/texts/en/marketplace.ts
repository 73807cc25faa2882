import { counted } from "../format.ts";

/** The marketplace: agents that are ready to be made one's own. */
export const marketplace = {
  title: "Marketplace",
  lead: "Agents that are written already. Install one, make it your own, and it takes calls.",
  searchLabel: "Search",
  category: "Category",
  nothingTitle: "No template is like that",
  nothing: "None has these words in its name or description, and this category.",
  clear: "Show all",
  brings: (playbooks: number, faqs: number, tools: number) =>
    [counted(playbooks, "playbook", "playbooks"), counted(faqs, "FAQ", "FAQs"), counted(tools, "tool", "tools")].join(
      " · ",
    ),
  install: "Install",
  version: (version: string, author: string) => `Version ${version}, by ${author}`,
  made: (count: number) => (count === 1 ? "You have an agent of this template:" : "You have agents of this template:"),
  needs: "What it needs",
  needsNothing: "Nothing more: none of its tools uses an integration.",
  needsLead:
    "Its tools work with these services. It answers without them, and says that it cannot do what they are for.",
  ready: "Ready",
  notReady: "Not ready",
  builtIn: (tools: string) => `Built in: ${tools}. Every agent can do this, and nothing needs to be set up.`,
  ownRuntime: (tools: string) =>
    `Runs on your own runtime: ${tools}. These are Python; in conversations that Switchboard holds itself the agent does without them.`,
  greeting: "First words",
  prompt: "Prompt",
  playbooks: "Playbooks",
  faqs: "FAQs",
  tools: "Tools",
  model: "Model",
  voice: "Voice",
  installTitle: (name: string) => `Install ${name}`,
  installLead:
    "This makes an agent of your own, as a draft. Playbooks, FAQs and tools that you have already are linked.",
  name: "Name of the agent",
  nameTaken: "You have an agent of this name already. Both can have it, but you could not tell them apart.",
  nameHint: "What you and your colleagues call it.",
  installedTitle: (name: string) => `${name} is yours`,
  installed: "It is a draft: read its prompt, try it, then activate it.",
  withPlaybooks: "Its playbooks",
  withFaqs: "Its FAQs",
  withTools: "Its tools",
  open: "Open the agent",
};

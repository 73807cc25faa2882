import { counted } from "../format.ts";

/** Texts for the marketplace, where accounts install agents from templates. */
export const marketplace = {
  title: "Marketplace",
  lead: "Ready-made agents. Install one, customize it and start taking calls.",
  searchLabel: "Search",
  category: "Category",
  nothingTitle: "No matching templates",
  nothing: "Try other words or another category.",
  clear: "Clear filters",
  brings: (playbooks: number, faqs: number, tools: number) =>
    [counted(playbooks, "playbook", "playbooks"), counted(faqs, "FAQ", "FAQs"), counted(tools, "tool", "tools")].join(
      " · ",
    ),
  install: "Install",
  version: (version: string, author: string) => `Version ${version}, by ${author}`,
  created: (count: number) =>
    count === 1 ? "You have an agent from this template:" : "You have agents from this template:",
  needs: "Requirements",
  needsNothing: "None. Its tools don't use any integrations.",
  needsLead: "Its tools use these services. The agent works without them but can't use those tools.",
  ready: "Ready",
  notReady: "Not ready",
  builtIn: (tools: string) => `Built in: ${tools}. Available to every agent without setup.`,
  ownRuntime: (tools: string) =>
    `Runs on your own runtime: ${tools}. Python tools aren't available in conversations hosted by Switchboard.`,
  greeting: "Greeting",
  prompt: "Prompt",
  playbooks: "Playbooks",
  faqs: "FAQs",
  tools: "Tools",
  model: "Model",
  voice: "Voice",
  installTitle: (name: string) => `Install ${name}`,
  installLead:
    "This creates your own copy of the agent as a draft. Playbooks, FAQs and tools you already have are linked.",
  name: "Agent name",
  nameTaken: "You already have an agent with this name. You can use it again, but the two will be hard to tell apart.",
  nameHint: "The name your team sees.",
  installedTitle: (name: string) => `${name} installed`,
  installed: "It's a draft. Review the prompt, try it out, then activate it.",
  withPlaybooks: "Its playbooks",
  withFaqs: "Its FAQs",
  withTools: "Its tools",
  open: "Open agent",
};

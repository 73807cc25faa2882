export const apiKeys = {
  title: "API keys",
  lead: "Keys for your own servers. Give each key only what its server needs, and keep it out of web pages and repositories.",
  add: "New API key",
  create: "Create key",
  emptyTitle: "No API keys yet",
  empty: "Your servers use API keys to start calls, upload contacts and read conversations.",
  key: "API key",
  fields: { name: "Name", key: "Ends in", created: "Created", used: "Last used", expires: "Expires", state: "Status" },
  nameHint: "What the key is for, such as “Booking system”.",
  states: { active: "Active", disabled: "Disabled", expired: "Expired" },
  never: "Never",
  expiry: "Expires after",
  expiries: {
    "": "Account maximum, up to a year",
    "30d": "30 days",
    "90d": "90 days",
    never: "Never",
  },
  may: "What the key may do",
  presets: { label: "Presets", dialer: "Dialer", crm: "CRM sync", runtime: "Runtime", everything: "Everything" },
  scopes: {
    read: {
      label: "Read the account",
      hint: "Agents, calls, campaigns and settings, but not what people say or their whole phone numbers.",
    },
    listen: {
      label: "Read and hear conversations",
      hint: "Transcripts, recordings, contacts and exports.",
    },
    build: { label: "Change agents", hint: "Also tools, playbooks, FAQs and how the widget looks." },
    connect: { label: "Change connections", hint: "Integrations, carriers, phone numbers and webhooks." },
    dial: {
      label: "Place calls and run campaigns",
      hint: "People are called and calls are billed. Also changes the do-not-call list.",
    },
    manage: {
      label: "Manage the account",
      hint: "Settings, prices, budgets and the audit log, and deleting records for good.",
    },
    runtime: { label: "Hold conversations", hint: "For your own runtime, which speaks instead of Switchboard's." },
  },
  agents: {
    onlySome: "Only for some agents",
    hint: "The key sees only these agents' conversations, calls, campaigns and usage, and calls with no other agent.",
    label: "Agents",
    add: "Add an agent",
    choose: "Choose an agent",
    remove: (name: string) => `Remove ${name}`,
  },
  addresses: "Allowed IP addresses",
  addressesHint:
    "IP addresses or networks that the key is accepted from, one per line. Leave empty to accept it from anywhere.",
  unattended: "Can act without approval",
  unattendedHint:
    "For assistants (MCP). Otherwise, a person has to approve before an assistant calls people, starts a " +
    "campaign or publishes with this key. Without approval, a caller can persuade the assistant to do so.",
  assistants: "Assistants",
  notNamed:
    "This key has the default scopes, so assistants (MCP) can't use it. Review what the key may do above, then " +
    "confirm it.",
  nameScopes: "Confirm these scopes",
  tryIt: "Try it",
  inCode: "In TypeScript",
  inTerminal: "In a terminal",
  keyInVariable: (variable: string) => `The key is read from the variable ${variable}.`,
  guide: "Guide",
  asksForKey: "The command asks for the key and stores it.",
  disable: "Disable",
  enable: "Enable",
  disableTitle: (name: string) => `Disable “${name}”?`,
  disableBody:
    "Anything using this key is rejected from its next request, and visitors it signed in are disconnected. You can enable it again.",
  made: {
    also: "Also disable the widget keys it created",
    /** The number is undefined until it is known. */
    hint: (count: number | undefined) =>
      `${count === undefined ? "" : `${count === 1 ? "1 widget key is" : `${count} widget keys are`} in use. `}Do this if another person may have the API key: pages using them no longer show the widget.`,
  },
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteBody:
    "Anything using this key is rejected from its next request, and visitors it signed in are disconnected. A key that has been used stays in the list as disabled.",
};

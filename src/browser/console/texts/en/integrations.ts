/** Texts for integrations, the services of other companies that tools use. */
export const integrations = {
  title: "Integrations",
  lead: "Third-party services your agents' tools can use. Install one with its API key to get started.",
  category: "Category",
  status: "Status",
  anyStatus: "All",
  statuses: { installed: "Installed", available: "Not installed" },
  categories: { models: "Language models" } as Record<string, string>,
  fields: { name: "Name", description: "Description", category: "Category", state: "Status", installed: "Installed" },
  ready: "Ready",
  lacks: (count: number) => (count === 1 ? "1 value missing" : `${count} values missing`),
  notInstalled: "Not installed",
  closed: "Not available yet",
  nothingTitle: "No matching integrations",
  nothing: "Try another category or status.",
  clear: "Clear filters",
  missing: (names: string) => `Missing: ${names}. Tools that use this integration fail until you add it.`,
  usedBy: "Used by",
  usedByNone: "None of your tools use it yet.",
  refer: "Use its values and secrets in a tool's request like this:",
  values: "Values",
  secrets: "Secrets",
  secretsHint: "Stored encrypted and never shown again. Keep your own copy.",
  hosts: "Secrets are only sent to:",
  decidesHost: "Secrets are only sent there. If you change it, enter them again.",
  moves: (labels: string) =>
    `Changing ${labels} removes the stored secrets, since they were given for another host. Enter them again below.`,
  again: "Enter it again: the stored one belongs to another host.",
  removed: "Saved. The secrets were removed because they belonged to another host.",
  ownSecret: "New secret",
  ownName: "Name",
  ownNameHint: "Lowercase letters, digits and underscores.",
  ownValue: "Value",
  addSecret: "Add secret",
  removeOwn: (name: string) => (name === "" ? "Remove this secret" : `Remove ${name}`),
  taken: "Another secret has this name.",
  unusable: "Can't be used",
  stored: "Stored. Leave empty to keep it.",
  optional: (label: string) => `${label} (optional)`,
  takeAway: (label: string) => `Remove ${label}`,
  takeAwayTitle: (label: string) => `Remove ${label}?`,
  takeAwayBody: "Tools that use it fail until you store a new one. The current value can't be recovered.",
  install: "Install",
  installAgain: "Install with stored values",
  installed: "Installed",
  verify: "Verify",
  verifying: "Verifying…",
  works: "Verified",
  worksNot: "Not verified",
  uninstall: "Uninstall",
  uninstallTitle: (name: string) => `Uninstall ${name}?`,
  uninstallBody: (tools: number | undefined) =>
    `${toolsFail(tools)} Its values and secrets are kept, so you can install it again.`,
  uninstalled: "Uninstalled",
};

/** Says what happens to the tools that use an integration; undefined if it isn't known which do. */
function toolsFail(tools: number | undefined): string {
  if (tools === undefined) return "Any tools that use it will fail.";
  if (tools === 0) return "None of your tools use it.";
  return tools === 1 ? "The tool that uses it will fail." : `The ${tools} tools that use it will fail.`;
}

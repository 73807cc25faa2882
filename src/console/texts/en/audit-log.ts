/** `create` and `api_key` → "Create api key": words of the API, readable. */
function sentence({ action, resource }: { action: string; resource: string }): string {
  const words = `${action} ${resource}`.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The audit log: who did what. */
export const auditLog = {
  title: "Audit log",
  lead: "Who did what, newest first. Entries cannot be changed or deleted.",
  operatorLead: "What operators and accounts did, newest first.",
  emptyTitle: "Nothing matches",
  empty: "No entry has all of these. Clear a filter to see more.",
  clear: "Clear the filters",
  sentence,
  fields: {
    what: "What",
    at: "When",
    account: "Account",
    actor: "Who",
    action: "Action",
    resource: "On what",
    resourceId: "Its id",
    requestId: "Request id",
  },
  any: "Any",
  changed: "Changed",
  from: "Before",
  to: "After",
  hidden: "not recorded",
  entry: "Entry",
  furtherBack: "It may be further back than the list shows yet: show more, or narrow the list down.",
};

import { formatName } from "../format.ts";

/** `create` and `api_key` → "Create API key", `attach_faq` and `agent` → "Attach FAQ · agent". */
const sentence = ({ action, resource }: { action: string; resource: string }) =>
  formatName(`${action}_${action.includes("_") ? "·_" : ""}${resource}`);

/** The audit log: who did what. */
export const auditLog = {
  title: "Audit log",
  lead: "Who did what, newest first. Entries can't be changed or deleted.",
  operatorLead: "What operators and accounts did, newest first.",
  emptyTitle: "No entries yet",
  empty: "Changes to this account appear here.",
  nothingTitle: "No matching entries",
  nothing: "Try fewer filters.",
  clear: "Clear filters",
  sentence,
  fields: {
    what: "What",
    at: "When",
    account: "Account",
    actor: "Who",
    action: "Action",
    resource: "Resource",
    actorName: "Actor name",
    resourceName: "Resource name",
    resourceId: "Resource ID",
    requestId: "Request ID",
  },
  actors: {
    you: "You",
    user: (tail: string) => `User …${tail}`,
    key: (name: string) => `API key ${name}`,
    operatorToken: (name: string) => `Operator token ${name}`,
    carrier: (name: string) => `Carrier ${name}`,
    visitor: "A visitor",
    conversation: "An agent in a conversation",
    campaign: "A campaign",
    service: "The service",
  },
  any: "Any",
  changed: "Changed",
  from: "Before",
  to: "After",
  hidden: "not recorded",
  entry: "Entry",
  furtherBack: "There may be older matches. Show more or narrow the filters.",
};

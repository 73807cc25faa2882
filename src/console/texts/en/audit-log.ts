import { formatName } from "../format.ts";

/** `create` and `api_key` → "Create API key", `attach_faq` and `agent` → "Attach FAQ · agent". */
const sentence = ({ action, resource }: { action: string; resource: string }) =>
  formatName(`${action}_${action.includes("_") ? "·_" : ""}${resource}`);

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
  actors: {
    you: "You",
    user: (tail: string) => `User …${tail}`,
    key: (name: string) => `API key ${name}`,
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
  furtherBack: "It may be further back than the list shows yet: show more, or narrow the list down.",
};

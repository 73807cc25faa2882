import { formatNumber } from "../format.ts";

/** Texts for actions of an assistant that need a person's confirmation. */
export const confirmations = {
  title: "Confirm for an assistant",
  lead: "An assistant wants to do this with one of your API keys. It is only done if you approve.",
  approve: "Approve",
  decline: "Decline",
  fields: { key: "API key", whom: "Who is called", count: "People reached", until: "Valid until" },
  /** Formats a name of the service, such as `from_number`. */
  detail: (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("_", " "),
  none: "Nobody",
  count: (people: number) => formatNumber(people),
  yes: "Yes",
  no: "No",
  statuses: {
    pending: "Waiting for you",
    approved: "Approved",
    declined: "Declined",
    taken: "Done",
    expired: "Expired",
  },
  next: {
    pending: "Approve only actions that you expected.",
    approved: "Approved. Return to the assistant: it can do this once, until the time below.",
    declined: "Declined. The assistant cannot do this; it would have to ask again.",
    taken: "Approved and carried out. The assistant cannot do it a second time.",
    expired: "This can no longer be approved. Have the assistant ask again.",
  },
  notYours: (scope: string) => `Your role does not include the scope “${scope}”, so another member has to decide.`,
  notFound:
    "This request is unknown in this account, or more than an hour old. Check which account you are signed in to.",
};

import { counted, formatExact } from "../format.ts";

/** Texts for webhooks, which send events to the account's own servers. */
export const webhooks = {
  title: "Webhooks",
  lead: "Send events to your own server. Each event is signed, and retried until your server accepts it.",
  add: "New webhook",
  one: "Webhook",
  emptyTitle: "No webhooks yet",
  empty: "A webhook sends events, such as a call that ended or a number that opted out, to a URL of yours.",
  guide: "How to receive and verify them",
  columns: { url: "Endpoint URL", state: "Status", types: "Events", last: "Last delivered" },
  states: { ok: "Active", behind: "Catching up", failing: "Failing", disabled: "Disabled" },
  all: "All events",
  create: "Create webhook",
  form: {
    url: "Endpoint URL",
    urlHint: "An https URL of your server. Redirects are not followed.",
    description: "Description",
    descriptionHint: "What it is for, such as “CRM”.",
    types: "Events",
    everything: "All events, including types added later",
    group: (name: string) => `All ${name.replaceAll("_", " ")} events`,
  },
  otherAddress: "A new URL gets a new secret. Events for the old URL aren't sent to it.",
  agents: {
    onlySome: "Only for some agents",
    hint: "Only events about these agents are sent.",
    label: "Agents",
    add: "Add an agent",
    choose: "Choose an agent",
    remove: (name: string) => `Remove ${name}`,
  },
  secret: "Signing secret",
  verify: "Verify what arrives",
  verifyLead: "Check the signature of every request with this secret before you trust it.",
  parts: { deliveries: "Deliveries", settings: "Settings" },
  facts: {
    lastDelivered: "Last delivered",
    failingSince: "Failing since",
    behind: "Events waiting",
    missed: "Missed events",
    rotating: "Old secret signs until",
    created: "Created",
    id: "ID",
  },
  events: (count: number) => counted(count, "event", "events"),
  missed: (count: number) =>
    `${counted(count, "event was", "events were")} deleted before this webhook could send ${count === 1 ? "it" : "them"}. Read what changed from the API.`,
  failing:
    "Every attempt is failing. Events are kept and retried. After five days of failed attempts and no success, " +
    "the webhook is disabled.",
  because: {
    requested: "Disabled by someone in the account. Events from this time are not sent, now or later.",
    gone:
      "Disabled: the URL responded with 410, which means that it is gone for good. Events from this time are " +
      "not sent.",
    failing:
      "Disabled: attempts failed for five days and none succeeded. Events from this time are not sent. Once it is enabled again, you can resend what failed.",
  },
  masked:
    "Sent without the results of conversations and with masked phone numbers: the person who set the URL " +
    "isn't allowed to listen to conversations.",
  enable: "Enable",
  enabled: "Enabled. Events from now on are sent.",
  disable: "Disable",
  disableTitle: "Disable this webhook?",
  disableBody: "Events that happen while it is disabled are never sent, not even later.",
  test: "Send test event",
  testing: "Waiting for your server…",
  tested: "Test event",
  rotate: "Rotate secret",
  rotateTitle: "Rotate the signing secret?",
  rotateBody:
    "You get a new secret. For 24 hours both the new and the old one sign, so your server can change over without losing events.",
  rotated: (until: string) => `Both secrets sign until ${formatExact(until)}. After that only this one does.`,
  remove: {
    title: "Delete this webhook?",
    body: "No more events are sent, not even pending ones, and the list of deliveries is deleted.",
  },
  resendAll: "Resend failed…",
  resendAllTitle: "Resend failed deliveries",
  resendAllLead: "Failed deliveries are sent again with the same IDs and with as many attempts as a new event.",
  resendSince: "Failed in the last",
  spans: { "1": "Hour", "24": "24 hours", "168": "7 days", "720": "30 days" },
  resendVerb: "Resend",
  resent: (count: number) =>
    count === 0 ? "Nothing failed in that time." : `Resending ${counted(count, "delivery", "deliveries")}.`,
  deliveries: {
    emptyTitle: "Nothing sent yet",
    empty: "Every event for this webhook appears here, with your server's response.",
    nothingTitle: "No matching deliveries",
    nothing: "Try other filters.",
    clear: "Clear filters",
    status: "Status",
    anyStatus: "All statuses",
    type: "Event",
    anyType: "All events",
    statuses: { pending: "Pending", delivered: "Delivered", failed: "Failed" },
    resend: "Resend",
    resending: "Sending it again.",
    event: "Event ID",
    id: "Delivery ID",
    created: "Created",
    attempts: "Attempts",
    attempt: (nth: number) => `Attempt ${nth}`,
    took: (ms: string) => `${ms} ms`,
    noAnswer: "No response",
    noResponse: "The response was empty.",
    response: "Response (first 1 KB)",
  },
  next: {
    sending: "Being sent now",
    retry: (when: string) => `Next attempt ${when}`,
    delivered: (attempts: number) =>
      attempts <= 1 ? "Delivered on the first attempt" : `Delivered on attempt ${attempts}`,
    failed: (attempts: number) =>
      `Gave up after ${counted(attempts, "attempt", "attempts")}. Resend it once your server works.`,
    failedUnsent: "Never sent. It was for another URL, or waiting when the webhook was disabled.",
  },
};

import { formatName } from "../format.ts";

/** The verbs of actions that are shown together with their resource. */
const VERBS: Partial<Record<string, string>> = {
  cancel: "canceled",
  clone: "cloned",
  connect: "connected",
  create: "created",
  delete: "deleted",
  disable: "disabled",
  end: "ended",
  hangup: "hung_up",
  install: "installed",
  originate: "placed",
  pause: "paused",
  publish: "published",
  redial: "called_again",
  reencrypt: "re-encrypted",
  reject: "rejected",
  resend: "resent",
  resume: "resumed",
  reveal: "revealed",
  run: "ran",
  start: "started",
  stop: "stopped",
  transfer: "transferred",
  uninstall: "uninstalled",
  update: "changed",
};

/** The sentences of actions that are shown without their resource. */
const SENTENCES: Partial<Record<string, string>> = {
  accept_invitation: "Accepted an invitation",
  activate_prompt: "Activated a prompt of the agent",
  attach_faq: "Added an FAQ to the agent",
  attach_playbook: "Added a playbook to the agent",
  change_password: "Changed their password",
  create_reset_link: "Created a password link",
  create_url: "Created a link to the recording",
  detach_faq: "Removed an FAQ from the agent",
  detach_playbook: "Removed a playbook from the agent",
  end_session: "Ended a session",
  export_calls: "Exported calls",
  export_conversations: "Exported conversations",
  install_template: "Created the agent from a template",
  join_membership: "Joined another account",
  order_attachments: "Changed the order of the agent's attachments",
  publish_forced: "Published the agent although required tests didn't pass",
  remove_second_factor: "Removed the second factor",
  remove_tool: "Removed a tool from the agent",
  renew_recovery_codes: "Created new recovery codes",
  reset_password: "Set a new password with a password link",
  restore_version: "Restored a version of the agent",
  rotate_secret: "Replaced the webhook's secret",
  set_inbound: "Changed whether the number takes calls",
  set_tool: "Changed a tool of the agent",
  set_up_second_factor: "Set up a second factor",
  sign_in: "Signed in",
  sign_in_failed: "Failed to sign in",
  sign_out: "Signed out",
  sign_out_user: "Signed the user out",
  undo_opt_out: "Undid an opt-out",
  use_recovery_code: "Signed in with a recovery code",
};

/**
 * Returns a sentence for an action: `create` and `api_key` → "Created API key"; for an action without its own text →
 * "Tidy up · agent".
 */
const sentence = ({ action, resource }: { action: string; resource: string }): string =>
  SENTENCES[action] ?? formatName(`${VERBS[action] ?? `${action}_·`}_${resource}`);

/** Formats a value of a change: on or off, a text, a number, or nothing. Null for lists and objects. */
const valueInWords = (value: unknown): string | null => {
  if (value === null || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
};

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
  value: valueInWords,
  fields: {
    what: "What",
    at: "When",
    account: "Account",
    actor: "Who",
    action: "Action",
    resource: "Resource",
    actorId: "Actor ID",
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
  any: "All",
  changed: "Changed",
  from: "Before",
  to: "After",
  hidden: "not recorded",
  entry: "Entry",
  furtherBack: "There may be older matches. Show more or narrow the filters.",
};

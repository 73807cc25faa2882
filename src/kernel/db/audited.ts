import type { ChangedFields } from "./audit-changes.ts";

/** Whether an action uses the account (`act`) or changes it (`change`). */
type Kind = "act" | "change";

/**
 * Every action that the audit log records, by resource. Calls, conversations, visitors and programs repeat acts without
 * limit, so an `act` is recorded in the account's ledger. A `change` of the account, its people or their sessions is
 * recorded in D1, in the same batch. The compiler refuses actions that are missing here.
 */
const AUDITED = {
  account: {
    export_calls: "act",
    export_conversations: "act",
    backup: "change",
    join_membership: "change",
    update: "change",
  },
  agent: {
    create: "change",
    update: "change",
    delete: "change",
    activate_prompt: "change",
    attach_document: "change",
    attach_faq: "change",
    attach_playbook: "change",
    detach_document: "change",
    detach_faq: "change",
    detach_playbook: "change",
    install_template: "change",
    order_attachments: "change",
    publish: "change",
    publish_forced: "change",
    remove_tool: "change",
    restore_version: "change",
    set_tool: "change",
  },
  agent_session: { create: "act" },
  agent_test: { create: "change", update: "change", delete: "change" },
  agent_widget_settings: { update: "change" },
  api_key: { create: "change", update: "change", delete: "change" },
  budget: { create: "change", update: "change", delete: "change", warn: "change", reach: "change" },
  call: { originate: "act", hangup: "act", transfer: "act", end: "act" },
  call_settings: { update: "change" },
  campaign: {
    create: "change",
    update: "change",
    delete: "change",
    start: "change",
    pause: "change",
    resume: "change",
    stop: "change",
    redial: "change",
    clone: "change",
    add_contacts: "change",
    cancel_contact: "act",
    correct_contact: "act",
    export: "act",
    export_duplicates: "act",
    export_history: "act",
    export_rejects: "act",
  },
  confirmation: { approve: "act", decline: "act" },
  conversation: { delete: "act", undo_opt_out: "change" },
  document: { create: "change", update: "change", delete: "change", refresh: "change" },
  do_not_call: { create: "change", delete: "change" },
  erasure: { create: "change" },
  faq: { create: "change", update: "change", delete: "change" },
  integration: { install: "change", uninstall: "change" },
  invitation: { create: "change", resend: "change", delete: "change" },
  operator_token: { create: "change", delete: "change" },
  phone_number: { create: "change", update: "change", delete: "change", set_inbound: "change" },
  playbook: { create: "change", update: "change", delete: "change" },
  prices: { update: "change" },
  privacy: { update: "change" },
  recording: { create_url: "act", delete: "act" },
  secrets: { reencrypt: "change" },
  session: { end_session: "change" },
  sign_in_policy: { update: "change" },
  telephony_provider: { create: "change", delete: "change" },
  test_run: { create: "change" },
  tool: { create: "change", update: "change", delete: "change", run: "act" },
  user: {
    create: "change",
    update: "change",
    delete: "change",
    accept_invitation: "change",
    change_password: "change",
    create_reset_link: "change",
    remove_second_factor: "change",
    renew_recovery_codes: "change",
    reset_password: "change",
    set_up_second_factor: "change",
    sign_in: "change",
    sign_in_failed: "change",
    sign_out: "change",
    use_recovery_code: "change",
  },
  visitor_token: { create: "act" },
  webhook: { create: "change", update: "change", delete: "change", disable: "change", rotate_secret: "change" },
  widget_key: { create: "change", update: "change", delete: "change", reveal: "act" },
  widget_settings: { update: "change" },
} as const satisfies Record<string, Record<string, Kind>>;

type Audited = typeof AUDITED;
type ActionOf<R extends keyof Audited, K extends Kind> = {
  [A in keyof Audited[R]]: Audited[R][A] extends K ? A : never;
}[keyof Audited[R]];
type Named<K extends Kind> = {
  [R in keyof Audited]: ActionOf<R, K> extends never ? never : { resource: R; action: ActionOf<R, K> };
}[keyof Audited];

/** An entry of the audit log (GET /audit-log). It names resources but never contains their content. */
interface Entry {
  resource_id: string;
  /** The resource's name. Only needed if no row of the account contains it. */
  resource_name?: string | null | undefined;
}

/** An entry about a change, stored in D1. */
export type ChangeEntry = Named<"change"> &
  Entry & {
    changes?: ChangedFields | undefined;
  };

/** An entry about an act, stored in the account's ledger. The action of an MCP client is the name of the tool. */
export type ActEntry = (Named<"act"> | { resource: "mcp"; action: string }) & Entry;

import type { DeclaredRows } from "../backup/declared.ts";
import type { D1Table } from "./personal-data.ts";
import {
  credentialsContext,
  optOutKeyContext,
  secretsContext,
  webhookContext,
  widgetKeyContext,
} from "./seal-contexts.ts";

const copy: DeclaredRows = { copy: true };
const ordered: DeclaredRows = { copy: true, signed: ["position"] };
const people: DeclaredRows = { left: "who may sign in is decided where it is restored" };
const now = { now: true } as const;

/**
 * What backups do with each table of D1, in the order in which rows are written: what others refer to comes first. A table
 * without an entry does not compile.
 */
export const D1_BACKUP: Readonly<Record<D1Table, DeclaredRows>> = {
  agents: copy,
  agent_prompts: copy,
  version_bodies: copy,
  agent_versions: copy,
  agent_tests: copy,
  // One that is under way is left where it is held.
  test_runs: { copy: true, only: { status: ["completed", "failed"] } },
  tools: copy,
  playbooks: copy,
  faqs: copy,
  agent_tools: ordered,
  agent_playbooks: ordered,
  agent_faqs: ordered,
  agent_widget_settings: copy,
  telephony_providers: { copy: true, sealed: { credentials: credentialsContext } },
  phone_numbers: copy,
  integration_installs: { copy: true, sealed: { secrets: secretsContext } },
  budgets: copy,
  call_settings: copy,
  privacy_settings: copy,
  sign_in_policies: copy,
  prices: copy,
  widget_settings: copy,
  do_not_call: copy,
  erased_opt_outs: { copy: true, sealed: { sealed: optOutKeyContext } },
  // Their holders have no access until somebody of the restored account gives it to them.
  api_keys: { copy: true, set: { disabled_at: now, unattended: 0 } },
  widget_keys: { copy: true, sealed: { sealed_key: widgetKeyContext }, set: { disabled_at: now } },
  invitations: { copy: true, set: { expires_at: now } },
  webhooks: {
    copy: true,
    sealed: { secrets: webhookContext },
    set: { enabled: 0, disabled_reason: "requested", begins_at: now },
  },
  removed_members: copy,
  // Keeps spent tokens from working again.
  spent_tokens: copy,
  visitor_families: copy,
  // One that is pending is carried out at the source.
  erasures: { copy: true, only: { status: ["complete"] } },
  // Any total that the restored ledger writes is newer.
  account_days: { copy: true, set: { revision: 0 } },
  // Only operators' entries are about another account.
  audit_log: { copy: true, set: { about_account: null } },
  // Whatever the restored object writes is newer.
  campaigns: { copy: true, set: { revision: 0 } },
  pending_events: copy,
  accounts: { left: "made by the restore itself, from the head of the backup" },
  users: people,
  second_factors: people,
  password_resets: people,
  operator_tokens: { left: "of the deployment's operators, whose account is not backed up" },
  scheduled_jobs: { left: "of the deployment, of no account" },
  object_gauges: { left: "written by the restored objects themselves" },
  quota_ceilings: { left: "of a write that is under way" },
  restores: { left: "of the account that was restored" },
  account_deletions: { left: "a deletion is carried out where it was asked for" },
};

import type { PersonalData, PersonalTables } from "../personal-data.ts";
import type * as schema from "./schema/index.ts";

type Schema = typeof schema;
/** The name that each table has in D1. */
export type D1Table = {
  [Name in keyof Schema]: Schema[Name] extends { _: { name: infer Table extends string } } ? Table : never;
}[keyof Schema];

const configuration: PersonalData = { nobody: "configuration by users of the account, about no caller or visitor" };

/** How a person is found in each table of D1. A table without an entry does not compile. */
export const D1_PERSONAL_DATA: PersonalTables<D1Table> = {
  account_days: { nobody: "sums of a day" },
  account_deletions: { nobody: "names of accounts that are deleted, which are not used again" },
  accounts: { nobody: "the account itself" },
  agent_faqs: configuration,
  agent_playbooks: configuration,
  agent_prompts: configuration,
  // One that was made of a conversation goes with it.
  agent_tests: { by: ["conversation_id"], columns: ["conversation_id"], erasure: "delete" },
  agent_tools: configuration,
  agent_versions: configuration,
  agent_widget_settings: configuration,
  agents: configuration,
  api_keys: configuration,
  // The number is the id of a do-not-call entry, and may occur in the name of what was changed.
  audit_log: { by: ["text"], columns: ["resource_id", "resource_name", "changes"], erasure: "mask" },
  budgets: configuration,
  call_settings: configuration,
  campaigns: { by: ["text"], columns: ["record"], erasure: "mask" },
  do_not_call: { by: ["phone_number"], columns: ["phone_number", "reason"], erasure: "hash" },
  erasures: { nobody: "receipts of erasures: how much of each kind, and the end of a number" },
  // Can be found only with the number and the account's key.
  erased_opt_outs: { by: ["phone_number"], columns: ["id"], erasure: "hash" },
  faqs: configuration,
  integration_installs: configuration,
  invitations: { nobody: "people who are invited to sign in, until they accept or the invitation is withdrawn" },
  operator_tokens: { nobody: "tokens of the deployment's operators" },
  object_gauges: { nobody: "numbers of rows and times of objects" },
  pending_events: { by: ["text"], columns: ["resource", "data"], erasure: "mask" },
  password_resets: { nobody: "links for people who sign in, by hash and their ids, until used or expired" },
  phone_numbers: { nobody: "the account's own numbers" },
  playbooks: configuration,
  prices: configuration,
  privacy_settings: configuration,
  quota_ceilings: { nobody: "numbers of the batch under way" },
  removed_members: { nobody: "people of an identity provider who may not sign in any more" },
  restores: { nobody: "ids of backups" },
  scheduled_jobs: { nobody: "when the service's own jobs last succeeded" },
  second_factors: { nobody: "sealed secrets, with the ids of people who sign in" },
  sign_in_policies: configuration,
  spent_tokens: { nobody: "random ids of tokens, without what they are of, until they expire" },
  telephony_providers: configuration,
  test_runs: { by: ["conversation_id"], columns: ["outcomes"], erasure: "mask" },
  tools: configuration,
  users: { nobody: "people who sign in, whom their account removes" },
  version_bodies: configuration,
  visitor_families: { nobody: "random ids of sign-ins, without whose they are, until they expire" },
  webhooks: configuration,
  widget_keys: configuration,
  widget_settings: configuration,
};

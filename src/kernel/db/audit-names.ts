import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  accounts,
  agents,
  agentTests,
  apiKeys,
  campaigns,
  documents,
  faqs,
  invitations,
  OPERATOR_ACCOUNT,
  operatorTokens,
  phoneNumbers,
  playbooks,
  telephonyProviders,
  tools,
  users,
  webhooks,
  widgetKeys,
} from "./schema/index.ts";

/**
 * The column that contains the name of each kind of resource. It is never a secret, and at most the last two digits of
 * a number.
 */
interface Named {
  account: SQLiteColumn;
  id: SQLiteColumn;
  name: SQL;
}

const named = ({ account, id }: { account: SQLiteColumn; id: SQLiteColumn }, name: SQLiteColumn | SQL): Named => ({
  account,
  id,
  name: sql`${name}`,
});

const agent = named(agents, agents.name);
const userName = sql`coalesce(nullif(${users.name}, ''), ${users.email})`;
const user = named(users, userName);

const RESOURCES: Record<string, Named> = {
  account: { account: accounts.name, id: accounts.name, name: sql`${accounts.display_name}` },
  agent,
  agent_test: named(agentTests, agentTests.name),
  agent_widget_settings: agent,
  api_key: named(apiKeys, apiKeys.name),
  campaign: named(campaigns, sql`${campaigns.record} ->> '$.name'`),
  document: named(documents, documents.title),
  faq: named(faqs, faqs.name),
  operator_token: named(operatorTokens, operatorTokens.name),
  invitation: named(invitations, invitations.email),
  phone_number: named(phoneNumbers, sql`'…' || substr(${phoneNumbers.e164}, -2)`),
  playbook: named(playbooks, sql`coalesce(nullif(${playbooks.display_name}, ''), ${playbooks.name})`),
  telephony_provider: named(telephonyProviders, telephonyProviders.label),
  tool: named(tools, sql`coalesce(nullif(${tools.display_name}, ''), ${tools.name})`),
  user,
  // A webhook's name is its description, because its address may contain a secret.
  webhook: named(webhooks, sql`nullif(${webhooks.description}, '')`),
  widget_key: named(widgetKeys, widgetKeys.name),
};

/** Returns SQL for the name of a resource at the time when the statement runs; NULL if it has none. */
export function resourceName(account: string, resource: string, id: string): SQL {
  const found = RESOURCES[resource];
  return found ? nameOf(found, account, id) : sql`NULL`;
}

const ENTRIES_SEARCHED = 100;

/**
 * Returns SQL for the name of an actor that is a key or a user of the account; NULL for any other. A user of another
 * identity provider has no row, so the name comes from their last sign-in.
 */
export function actorName(account: string, actor: string): SQL {
  const [kind, ...id] = actor.split(":");
  if (kind === "api_key") return nameOf(named(apiKeys, apiKeys.name), account, id.join(":"));
  if (kind === "operator_token")
    return nameOf(named(operatorTokens, operatorTokens.name), OPERATOR_ACCOUNT, id.join(":"));
  if (kind !== "console") return sql`NULL`;
  return sql`coalesce(${nameOf(user, account, id.join(":"))}, ${lastName(account, actor)})`;
}

function lastName(account: string, actor: string): SQL {
  const last = sql`SELECT actor_name FROM audit_log WHERE account = ${account} AND actor = ${actor} ORDER BY at DESC, id DESC LIMIT ${ENTRIES_SEARCHED}`;
  return sql`(SELECT actor_name FROM (${last}) WHERE actor_name IS NOT NULL LIMIT 1)`;
}

function nameOf({ account, id, name }: Named, inAccount: string, itsId: string): SQL {
  return sql`(SELECT ${name} FROM ${account.table} WHERE ${account} = ${inAccount} AND ${id} = ${itsId})`;
}

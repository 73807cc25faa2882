import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  accounts,
  agents,
  apiKeys,
  campaigns,
  faqs,
  phoneNumbers,
  playbooks,
  telephonyProviders,
  tools,
  users,
  widgetKeys,
} from "./schema/index.ts";

/** Where the name of a kind of thing stands: never a secret, and of a number no more than its last two digits. */
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
  agent_widget_settings: agent,
  api_key: named(apiKeys, apiKeys.name),
  campaign: named(campaigns, sql`${campaigns.record} ->> '$.name'`),
  faq: named(faqs, faqs.name),
  phone_number: named(phoneNumbers, sql`'…' || substr(${phoneNumbers.e164}, -2)`),
  playbook: named(playbooks, sql`coalesce(nullif(${playbooks.display_name}, ''), ${playbooks.name})`),
  telephony_provider: named(telephonyProviders, telephonyProviders.label),
  tool: named(tools, sql`coalesce(nullif(${tools.display_name}, ''), ${tools.name})`),
  user,
  widget_key: named(widgetKeys, widgetKeys.name),
};

/** What something is called at the moment of the statement it stands in; NULL for what has no name. */
export function resourceName(account: string, resource: string, id: string): SQL {
  const found = RESOURCES[resource];
  return found ? nameOf(found, account, id) : sql`NULL`;
}

/** What whoever acts is called at the moment of the statement: a key, or a user of the account; NULL for others. */
export function actorName(account: string, actor: string): SQL {
  const [kind, id = ""] = actor.split(":");
  if (kind === "api_key") return nameOf(named(apiKeys, apiKeys.name), account, id);
  return kind === "console" ? nameOf(user, account, id) : sql`NULL`;
}

function nameOf({ account, id, name }: Named, inAccount: string, itsId: string): SQL {
  return sql`(SELECT ${name} FROM ${account.table} WHERE ${account} = ${inAccount} AND ${id} = ${itsId})`;
}

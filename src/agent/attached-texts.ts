import { type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../kernel/db/account-store.ts";
import { octets } from "../kernel/db/wide-rows.ts";
import { type ApiError, invalidField } from "../kernel/http/errors.ts";
import { heldHashes } from "./versions/held-bodies.ts";

/* The sizes of agents and of what is attached to them, as SQL: they are judged before the texts are read. */

/**
 * The maximum size of an agent's FAQs, playbooks and tools together, bytes. Each conversation and search of the agent
 * reads them, and so does each response that contains the agent.
 */
export const MAX_ATTACHED_BYTES = 4 * 1024 * 1024;

/** The columns that can be long. */
const TEXTS = {
  agents: ["description", "system_prompt", "greeting_message", "voicemail_message", "key_terms", "phrases", "analysis"],
  faqs: ["title", "summary", "content"],
  playbooks: ["description", "tool_names", "triggers", "content"],
  tools: ["description", "implementation_code", "implementation_config", "schema", "bind"],
};
const KINDS = ["faq", "playbook", "tool"] as const;
type Kind = (typeof KINDS)[number];
const LINKS = ["agent_faqs", "agent_playbooks", "agent_tools", "agent_documents"];
/** The size of an attachment in a response, without the texts of an FAQ or playbook, bytes. */
const LINK_BYTES = 250;

const sizeOf = (table: keyof typeof TEXTS, alias: string = table) =>
  octets(TEXTS[table].map((column) => sql.raw(`${alias}.${column}`)));

/** Returns the sum of a size over the account's rows of a table. */
const sumOf = (account: string, table: string, size: SQL) =>
  sql`(SELECT coalesce(sum(${size}), 0) FROM ${sql.raw(table)} WHERE ${sql.raw(table)}.account = ${account})`;

/** Returns the size of an account's FAQs and playbooks, bytes. */
const itemBytes = (account: string) =>
  sql`${sumOf(account, "faqs", sizeOf("faqs"))} + ${sumOf(account, "playbooks", sizeOf("playbooks"))}`;

/** Returns the size of what lists of agents read of an account, without restored texts, bytes. */
export function textsOf(account: string): SQL {
  const settings = octets([sql.raw("tools.implementation_config")]);
  return sql`(${sumOf(account, "agents", sizeOf("agents"))} + ${sumOf(account, "tools", settings)} + ${itemBytes(account)})`;
}

/** Returns the size of the restored texts that an account uses, bytes. */
export function heldBytes(account: string): SQL {
  return sql`(SELECT coalesce(sum(octet_length(body)), 0) FROM version_bodies
    WHERE account = ${account} AND hash IN (${heldHashes(account)}))`;
}

/** Returns the size of everything that an agent of the account could have, without restored texts, bytes. */
function attachableBytes(account: string): SQL {
  const settings = sumOf(account, "agent_tools", octets([sql.raw("agent_tools.config")]));
  return sql`(${sumOf(account, "tools", sizeOf("tools"))} + ${settings} + ${itemBytes(account)})`;
}

/** Returns the size of the selected agent with what is attached to it, bytes. */
export function agentBytes(account: string): SQL<number> {
  const id = sql`agents.id`;
  const counts = LINKS.map(
    (links) => sql`(SELECT count(*) FROM ${sql.raw(links)} WHERE account = ${account} AND agent_id = ${id})`,
  );
  const attachments = sql`(${sql.join(counts, sql` + `)})`;
  return sql<number>`${sizeOf("agents")} + ${LINK_BYTES} * ${attachments} + ${attachedBytes(account, id)}`;
}

/** Returns the size of an agent's FAQs, playbooks and tools as it uses them, without the item `without`, bytes. */
function attachedBytes(account: string, agentId: SQL, without: SQL | string = ""): SQL {
  const of = (kind: Kind) => {
    const [links, table] = [sql.raw(`agent_${kind}s`), sql.raw(`${kind}s`)];
    const text = sql`coalesce(octet_length(held.body), ${sizeOf(`${kind}s`, "item")})`;
    const size = kind === "tool" ? sql`${text} + octet_length(link.config)` : text;
    return sql`(SELECT coalesce(sum(${size}), 0) FROM ${links} AS link
      JOIN ${table} AS item ON item.account = link.account AND ${isLinked(kind, "link", "item")}
      LEFT JOIN version_bodies AS held ON held.account = link.account AND held.hash = link.body_hash
      WHERE link.account = ${account} AND link.agent_id = ${agentId} AND item.id <> ${without})`;
  };
  return sql`(${sql.join(KINDS.map(of), sql` + `)})`;
}

/** Returns the condition that an attachment is one of the item. */
const isLinked = (kind: Kind, link: string, item: string) =>
  sql.raw(kind === "tool" ? `${item}.name = ${link}.tool_name` : `${item}.id = ${link}.${kind}_id`);

/** Returns the condition that an agent has room for an item's current text, and for `more` bytes. */
export function hasRoom(
  { account }: AccountStore,
  kind: Kind,
  { agent, item, more = 0 }: { agent: string; item: string; more?: number },
): SQL {
  const table = sql.raw(`${kind}s`);
  const size = sql`(SELECT ${sizeOf(`${kind}s`, "item")} FROM ${table} AS item WHERE item.account = ${account} AND item.id = ${item})`;
  // An item that was deleted meanwhile has no size; the write itself refuses it.
  return sql`${attachedBytes(account, sql`${agent}`, item)} + coalesce(${size}, 0) + ${more} <= ${MAX_ATTACHED_BYTES}`;
}

/**
 * Returns the condition that an item does not grow by these changes, or that all agents that use it have room for it.
 * Returns undefined if no text is changed.
 */
export function hasRoomEverywhere(
  { account }: AccountStore,
  kind: Kind,
  sent: Readonly<Record<string, unknown>>,
): SQL | undefined {
  const table = `${kind}s` as const;
  const columns = TEXTS[table];
  if (columns.every((column) => sent[column] === undefined)) return undefined;
  const sizes = columns.map((column) => {
    const value = sent[column];
    return value === undefined ? octets([sql.raw(`${table}.${column}`)]) : sql`${bytesOf(value)}`;
  });
  const size = sql`(${sql.join(sizes, sql` + `)})`;
  const uses = sql`SELECT 1 FROM ${sql.raw(`agent_${kind}s`)} AS used
    WHERE used.account = ${account} AND ${isLinked(kind, "used", table)} AND used.body_hash IS NULL
    AND ${attachedBytes(account, sql`used.agent_id`, sql.raw(`${table}.id`))} + ${size} > ${MAX_ATTACHED_BYTES}`;
  // Agents are only examined if the account has enough texts to fill one. Restored texts, which are at most as large, are
  // not counted for that, because finding them takes as long.
  const isLittle = sql`${attachableBytes(account)} + ${size} <= ${MAX_ATTACHED_BYTES}`;
  return sql`(${size} <= ${sizeOf(table)} OR ${isLittle} OR NOT EXISTS (${uses}))`;
}

function bytesOf(value: unknown): number {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return new TextEncoder().encode(text).length;
}

/** Creates the 400 for a text for which an agent has no room. */
export function noRoom(field: string, agent: "the" | "an"): ApiError {
  const message =
    `${agent} agent's FAQs, playbooks and tools would exceed ${MAX_ATTACHED_BYTES / 1024 / 1024} MB together: shorten or ` +
    "detach some, or upload the text as a document";
  return invalidField(field, "too_large", message, message);
}

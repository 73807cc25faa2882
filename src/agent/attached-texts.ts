import { type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../kernel/db/account-store.ts";
import { octets } from "../kernel/db/wide-rows.ts";
import { type ApiError, invalidField } from "../kernel/http/errors.ts";
import { heldHashes } from "./versions/held-bodies.ts";

/* The sizes of agents and of their FAQs and playbooks, as SQL: they are judged before the texts are read. */

/**
 * The maximum size of an agent's FAQs and playbooks together, bytes. Each conversation and search of the agent reads
 * them, and so does each response that contains the agent.
 */
export const MAX_ATTACHED_BYTES = 4 * 1024 * 1024;

/** The columns that can be long. */
const TEXTS = {
  agents: ["description", "system_prompt", "greeting_message", "voicemail_message", "key_terms", "phrases", "analysis"],
  faqs: ["title", "summary", "content"],
  playbooks: ["description", "tool_names", "triggers", "content"],
};
type Kind = "faq" | "playbook";

const sizeOf = (table: keyof typeof TEXTS, alias: string = table) =>
  octets(TEXTS[table].map((column) => sql.raw(`${alias}.${column}`)));

/** Returns the size of all agents, FAQs and playbooks of an account and of the restored texts in use, bytes. */
export function textsOf(account: string): SQL {
  const sum = (size: SQL, from: SQL) => sql`(SELECT coalesce(sum(${size}), 0) FROM ${from})`;
  const own = (table: keyof typeof TEXTS) =>
    sum(sizeOf(table), sql`${sql.raw(table)} WHERE ${sql.raw(table)}.account = ${account}`);
  const held = sum(
    sql`octet_length(body)`,
    sql`version_bodies WHERE account = ${account} AND hash IN (${heldHashes(account)})`,
  );
  return sql`(${own("agents")} + ${own("faqs")} + ${own("playbooks")} + ${held})`;
}

/** Returns the size of the selected agent with its FAQs and playbooks, bytes. */
export function agentBytes(account: string): SQL<number> {
  return sql<number>`${sizeOf("agents")} + ${attachedBytes(account, sql`agents.id`)}`;
}

/** Returns the size of an agent's FAQs and playbooks as it uses them, without the item with the id `without`, bytes. */
function attachedBytes(account: string, agentId: SQL, without = ""): SQL {
  const of = (kind: Kind) => {
    const [links, table, id] = [`agent_${kind}s`, `${kind}s`, `link.${kind}_id`].map((name) => sql.raw(name));
    const size = sql`coalesce(octet_length(held.body), ${sizeOf(`${kind}s`, "item")})`;
    return sql`(SELECT coalesce(sum(${size}), 0) FROM ${links} AS link
      JOIN ${table} AS item ON item.account = link.account AND item.id = ${id}
      LEFT JOIN version_bodies AS held ON held.account = link.account AND held.hash = link.body_hash
      WHERE link.account = ${account} AND link.agent_id = ${agentId} AND ${id} <> ${without})`;
  };
  return sql`(${of("faq")} + ${of("playbook")})`;
}

/** Returns the condition that an agent has room for an item's current text. */
export function hasRoom({ account }: AccountStore, kind: Kind, { agent, item }: { agent: string; item: string }): SQL {
  const table = sql.raw(`${kind}s`);
  const size = sql`(SELECT ${sizeOf(`${kind}s`, "item")} FROM ${table} AS item WHERE item.account = ${account} AND item.id = ${item})`;
  // An item that was deleted meanwhile has no size; the write itself refuses it.
  return sql`${attachedBytes(account, sql`${agent}`, item)} + coalesce(${size}, 0) <= ${MAX_ATTACHED_BYTES}`;
}

/**
 * Returns the condition that an item does not grow by these changes, or that all agents that use it have room for it.
 * Returns undefined if no text is changed.
 */
export function hasRoomEverywhere(
  { account }: AccountStore,
  kind: Kind,
  { id, sent }: { id: string; sent: Readonly<Record<string, unknown>> },
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
    WHERE used.account = ${account} AND used.${sql.raw(`${kind}_id`)} = ${id} AND used.body_hash IS NULL
    AND ${attachedBytes(account, sql`used.agent_id`, id)} + ${size} > ${MAX_ATTACHED_BYTES}`;
  return sql`(${size} <= ${sizeOf(table)} OR NOT EXISTS (${uses}))`;
}

function bytesOf(value: unknown): number {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return new TextEncoder().encode(text).length;
}

/** Creates the 400 for a text for which an agent has no room. */
export function noRoom(field: string, agent: "the" | "an"): ApiError {
  const message =
    `${agent} agent's FAQs and playbooks would exceed ${MAX_ATTACHED_BYTES / 1024 / 1024} MB together: shorten or ` +
    "detach some, or upload the text as a document";
  return invalidField(field, "too_large", message, message);
}

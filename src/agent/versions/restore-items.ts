import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountStore, Read, Write } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import {
  agentDocuments,
  agentFaqs,
  agentPlaybooks,
  agentTools,
  documents,
  faqs,
  playbooks,
  tools,
  type VersionItem,
} from "../../kernel/db/schema/index.ts";
import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import { conflict } from "../../kernel/http/errors.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { documentsSeenBy, seenBy } from "../items.ts";
import {
  type AgentContent,
  type DocumentItem,
  faqBody,
  type Item,
  playbookBody,
  type ToolItem,
  toolBody,
} from "./content.ts";

type Rows<T> = { [K in keyof T]: T[K] extends Read<infer R> ? R : never };
type Existing = Rows<ReturnType<typeof itemReads>>;

/**
 * Returns reads of the account's items that a version refers to, by id and by name, as far as the caller may see them.
 */
export function itemReads(
  store: AccountStore,
  { agent_id, number, caller }: { agent_id: string; number: number; caller: Pick<Authority, "agentIds"> },
) {
  const items = (kind: VersionItem["kind"], picked: string) =>
    sql`SELECT ${sql.raw(`value ->> '${picked}'`)} FROM agent_versions, json_each(items) WHERE account = ${store.account} AND agent_id = ${agent_id} AND number = ${number} AND value ->> 'kind' = ${kind}`;
  const isIts = (kind: "tool" | "playbook" | "faq", table: typeof tools | typeof playbooks | typeof faqs) =>
    and(
      or(
        inArray(table.id, sql`(${items(kind, "id")})`),
        inArray(
          table.name,
          sql`(SELECT body ->> 'name' FROM version_bodies WHERE account = ${store.account} AND hash IN (${items(kind, "hash")}))`,
        ),
      ),
      seenBy(caller, store, table),
    );
  return [
    store.select(tools, { where: isIts("tool", tools) }),
    store.select(playbooks, { where: isIts("playbook", playbooks) }),
    store.select(faqs, { where: isIts("faq", faqs) }),
    store.select(documents, {
      where: and(inArray(documents.id, sql`(${items("document", "id")})`), documentsSeenBy(caller, store)),
      columns: ["id"],
    }),
  ] as const;
}

/** An item to attach again. */
interface Restored<I> {
  item: I;
  /** The hash of its body in the version. */
  hash: string;
  /** Its current name; null if it must be created again. */
  name: string | null;
  /** The revision at which the item equals the version's copy; null if the item was edited since. */
  same: number | null;
}

/** The items to attach again, by kind and in order. */
export interface RestoredItems {
  tools: Restored<ToolItem>[];
  playbooks: Restored<AgentContent["playbooks"][number]>[];
  faqs: Restored<AgentContent["faqs"][number]>[];
  /** Documents that still exist. Deleted ones cannot be restored. */
  documents: DocumentItem[];
  /** The number of items that are created again. */
  created: number;
  /** The number of documents that cannot be restored. */
  gone: number;
}

/** Decides what happens to each item of a version. @throws ApiError 409 `name_taken` */
export function restoredItems(
  items: VersionItem[],
  { tools: toolItems, playbooks: playbookItems, faqs: faqItems, documents: documentItems }: AgentContent,
  [toolRows, playbookRows, faqRows, documentRows]: Existing,
): RestoredItems {
  const hashes = (kind: VersionItem["kind"]) => items.flatMap((item) => (item.kind === kind ? [item.hash] : []));
  const restored = {
    tools: each("tool", toolItems, hashes("tool"), toolRows, toolBody),
    playbooks: each("playbook", playbookItems, hashes("playbook"), playbookRows, playbookBody),
    faqs: each("FAQ", faqItems, hashes("faq"), faqRows, faqBody),
  };
  const all = [...restored.tools, ...restored.playbooks, ...restored.faqs];
  const kept = documentItems.filter(({ id }) => documentRows.some((row) => row.id === id));
  return Object.assign(restored, {
    documents: kept,
    created: all.filter(({ name }) => name === null).length,
    gone: documentItems.length - kept.length,
  });
}

function each<R extends { id: string; name: string; revision: number }, I extends Item<{ name: string }>>(
  kind: string,
  items: I[],
  hashes: string[],
  rows: R[],
  bodyOf: (row: R) => object,
): Restored<I>[] {
  return items.map((item, i) => {
    const hash = hashes[i] ?? "";
    const { name } = item.body;
    const row = rows.find(({ id }) => id === item.id);
    if (row) {
      const same = canonicalJson(bodyOf(row)) === canonicalJson(item.body) ? row.revision : null;
      return { item, hash, name: row.name, same };
    }
    if (rows.some((other) => other.name === name)) throw nameTaken(kind, name);
    return { item, hash, name: null, same: null };
  });
}

const nameTaken = (kind: string, name: string) =>
  conflict(
    "name_taken",
    `the ${kind} ${name} was deleted, and another one now has its name: rename or delete that one first`,
  );

interface RestoreTarget {
  agent_id: string;
  at: string;
  /** The condition under which anything is written. */
  whileRead: SQL;
}

/**
 * Returns the writes that attach the version's items in their order, and detach all others. An attachment uses the
 * version's body, unless the item still has the revision that was found to be equal when it is written.
 */
export function restoreWrites(store: AccountStore, target: RestoreTarget, items: RestoredItems): Write<unknown>[] {
  const { agent_id, at, whileRead } = target;
  const again = { is_default: false, modified_from_default: false, created_at: at, updated_at: at };
  const created = <B extends object>(list: Restored<Item<B>>[]) =>
    list.flatMap(({ item, name }) => (name === null ? [Object.assign({}, item.body, { id: item.id }, again)] : []));
  const toolLinks = placed(items.tools).map(({ item: { body, enabled, config }, name, position, hash }) => {
    const tool_name = name ?? body.name;
    return { agent_id, tool_name, enabled, config, position, body_hash: hash, created_at: at, updated_at: at };
  });
  const playbookLinks = placed(items.playbooks).map(({ item, position, hash }) => {
    return { agent_id, playbook_id: item.id, position, body_hash: hash, created_at: at };
  });
  const faqLinks = placed(items.faqs).map(({ item, position, hash }) => {
    return { agent_id, faq_id: item.id, position, body_hash: hash, created_at: at };
  });
  const documentLinks = items.documents.map(({ id, mode }) => ({ agent_id, document_id: id, mode, created_at: at }));
  const only = () => whileRead;
  const own = (links: typeof agentTools | typeof agentPlaybooks | typeof agentFaqs | typeof agentDocuments) =>
    all(eq(links.agent_id, agent_id), whileRead);
  const other = (column: SQLiteColumn, names: string[]) =>
    sql`${column} NOT IN (SELECT value FROM json_each(${JSON.stringify(names)}))`;
  const toolNames = toolLinks.map(({ tool_name }) => tool_name);
  const playbookIds = playbookLinks.map(({ playbook_id }) => playbook_id);
  const faqIds = faqLinks.map(({ faq_id }) => faq_id);
  const documentIds = documentLinks.map(({ document_id }) => document_id);
  return [
    ...created(items.tools).map((row) => store.insertIf(tools, row, whileRead)),
    ...created(items.playbooks).map((row) => store.insertIf(playbooks, row, whileRead)),
    ...created(items.faqs).map((row) => store.insertIf(faqs, row, whileRead)),
    store.delete(agentTools, all(own(agentTools), other(agentTools.tool_name, toolNames))),
    store.delete(agentPlaybooks, all(own(agentPlaybooks), other(agentPlaybooks.playbook_id, playbookIds))),
    store.delete(agentFaqs, all(own(agentFaqs), other(agentFaqs.faq_id, faqIds))),
    store.delete(agentDocuments, all(own(agentDocuments), other(agentDocuments.document_id, documentIds))),
    store.upsertMany(agentDocuments, documentLinks, {
      target: [agentDocuments.account, agentDocuments.agent_id, agentDocuments.document_id],
      columns: ["mode"],
      only,
    }),
    store.upsertMany(agentTools, toolLinks, {
      target: [agentTools.account, agentTools.agent_id, agentTools.tool_name],
      columns: ["enabled", "config", "position", "body_hash", "updated_at"],
      only,
    }),
    store.upsertMany(agentPlaybooks, playbookLinks, {
      target: [agentPlaybooks.account, agentPlaybooks.agent_id, agentPlaybooks.playbook_id],
      columns: ["position", "body_hash"],
      only,
    }),
    store.upsertMany(agentFaqs, faqLinks, {
      target: [agentFaqs.account, agentFaqs.agent_id, agentFaqs.faq_id],
      columns: ["position", "body_hash"],
      only,
    }),
    letGo(
      store,
      agentTools,
      own(agentTools),
      sql`${agentTools.tool_name} IN (${same(store, tools, "name", items.tools)})`,
    ),
    letGo(
      store,
      agentPlaybooks,
      own(agentPlaybooks),
      sql`${agentPlaybooks.playbook_id} IN (${same(store, playbooks, "id", items.playbooks)})`,
    ),
    letGo(store, agentFaqs, own(agentFaqs), sql`${agentFaqs.faq_id} IN (${same(store, faqs, "id", items.faqs)})`),
  ];
}

/** Returns a write that makes the agent use an item's current content, if that equals the version's. */
function letGo(
  store: AccountStore,
  links: typeof agentTools | typeof agentPlaybooks | typeof agentFaqs,
  own: SQL,
  isSame: SQL,
): Write<unknown> {
  return store.update(links, { body_hash: null }, all(own, isSame));
}

/**
 * Returns a `SELECT` of the items that still have the revision that equals the version's, or that were just created.
 */
function same(
  { account }: AccountStore,
  table: typeof tools | typeof playbooks | typeof faqs,
  picked: "id" | "name",
  list: Restored<Item<object>>[],
): SQL {
  const seen = list.flatMap(({ item, same: revision, name }) => {
    if (name === null) return [[item.id, FIRST_REVISION]];
    return revision === null ? [] : [[item.id, revision]];
  });
  return sql`SELECT ${table[picked]} FROM ${table} WHERE ${table.account} = ${account} AND (${table.id}, ${table.revision}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(seen)}))`;
}

const FIRST_REVISION = 1;

/** Assigns positions in order, from `-list.length` to -1. */
function placed<I>(list: Restored<I>[]): (Restored<I> & { position: number })[] {
  return list.map((restored, i) => Object.assign({}, restored, { position: i - list.length }));
}

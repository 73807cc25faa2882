import type { Cell, TableRows } from "../../kernel/backup/declared.ts";
import { type ObjectCursor, type ObjectPage, readObject } from "../../kernel/backup/object-copy.ts";
import { CAMPAIGN } from "../stores.ts";

/**
 * A position in the history: the last entry that was read, the last entry before the tables were read, and the last
 * contact.
 */
interface HistoryCursor {
  entry: number;
  since: number;
  contact: number;
}

/** Where the backup of a campaign continues: in its tables, then in its history. */
export type CampaignCursor = (ObjectCursor & { since: number }) | HistoryCursor;

export interface CampaignPage extends Omit<ObjectPage, "next"> {
  next: CampaignCursor | null;
}

const { log: _log, campaign: _campaign, outbox: _outbox, ...TABLES } = CAMPAIGN.tables;

/** The number of history entries, and of contacts added in the meantime, per page. */
const ENTRIES = 1_000;

/**
 * Returns the next page of a campaign's backup. The tables are read while the campaign may be dialing. The history is
 * read afterwards, with the current state of the contacts and calls that changed in the meantime, and the last page
 * includes the campaign's row. If the pages are restored in this order, later copies of a row replace earlier ones, and
 * the campaign is as it was when the last page was read.
 */
export function readCampaign(storage: DurableObjectStorage, from: CampaignCursor | null): CampaignPage {
  const { sql } = storage;
  if (from !== null && "entry" in from) return readHistory(storage, from);
  const { steps, tables, next } = readObject(storage, TABLES, from);
  if (steps === 0) return { steps, tables, next: null };
  const since = from?.since ?? last(sql, "log", "seq");
  if (next) return { steps, tables, next: { table: next.table, key: next.key, since } };
  return { steps, tables, next: { entry: 0, since, contact: last(sql, "contacts", "id") } };
}

function readHistory(storage: DurableObjectStorage, { entry, since, contact }: HistoryCursor): CampaignPage {
  const { sql } = storage;
  const { steps } = readObject(storage, {}, null);
  const log = rowsOf(sql, "log", "WHERE seq > ? ORDER BY seq LIMIT ?", entry, ENTRIES);
  const [seq, about, call] = ["seq", "contact", "call_id"].map((name) => log.columns.indexOf(name));
  const at = (row: Cell[], column: number | undefined): Cell => row[column ?? -1] ?? null;
  const changed = log.rows.filter((row) => Number(at(row, seq)) > since);
  const ids = JSON.stringify(changed.map((row) => at(row, about)));
  const calls = JSON.stringify(changed.map((row) => at(row, call)));
  const added = rowsOf(sql, "contacts", "WHERE id > ? ORDER BY id LIMIT ?", contact, ENTRIES);
  const tables = [
    rowsOf(sql, "contacts", "WHERE id IN (SELECT value FROM json_each(?))", ids),
    added,
    rowsOf(sql, "attempts", "WHERE call_id IN (SELECT value FROM json_each(?))", calls),
    log,
  ];
  const cursor = {
    entry: Number(at(log.rows.at(-1) ?? [], seq) ?? entry),
    since,
    contact: Number(at(added.rows.at(-1) ?? [], added.columns.indexOf("id")) ?? contact),
  };
  if (log.rows.length === 0) cursor.entry = entry;
  if (added.rows.length === 0) cursor.contact = contact;
  const isAtEnd = log.rows.length < ENTRIES && added.rows.length < ENTRIES;
  if (isAtEnd) tables.push(rowsOf(sql, "campaign", ""), rowsOf(sql, "outbox", ""));
  return { steps, tables: tables.filter(({ rows }) => rows.length > 0), next: isAtEnd ? null : cursor };
}

function rowsOf(sql: SqlStorage, table: string, where: string, ...params: (string | number)[]): TableRows {
  const found = sql.exec(`SELECT * FROM ${table} ${where}`, ...params);
  return { table, columns: found.columnNames, rows: [...found.raw()] as Cell[][] };
}

function last(sql: SqlStorage, table: string, id: string): number {
  return sql.exec<{ n: number | null }>(`SELECT max(${id}) AS n FROM ${table}`).one().n ?? 0;
}

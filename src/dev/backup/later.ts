import { ERASED_NUMBER } from "../../campaign/contact-id.ts";
import { MASKED } from "../../kernel/mask-number.ts";
import { KEY_ID, openKey } from "../../phone/do-not-call/opt-out-key.ts";
import type { OpenBackup } from "./file.ts";
import type { Head, PageRecord, Record_ } from "./records.ts";
import { DamagedBackup } from "./sealed-file.ts";

/*
 * Finds erased people. An erasure removes names but leaves rows: calls with a masked number, contacts without one,
 * removed ids, and opt-outs without a number. In an older backup, the same rows still identify the person.
 */

type Table = PageRecord["tables"][number];
type Cell = Table["rows"][number][number];

/** The conditions for the rows that a file of erasures contains, by table. */
const KEPT: Record<string, (cell: (column: string) => Cell) => boolean> = {
  "ledger/calls": (cell) => cell("from_number") === MASKED || cell("to_number") === MASKED,
  "ledger/removed": () => true,
  "campaign/contacts": (cell) => cell("phone") === ERASED_NUMBER,
  "d1/do_not_call": () => true,
  "d1/erased_opt_outs": () => true,
};

const kindOf = (store: string, table: string): string => `${store.split("/", 1)[0]}/${table}`;

function* rowsOf({ columns, rows }: Table): Generator<(column: string) => Cell> {
  for (const row of rows) yield (column) => row[columns.indexOf(column)] ?? null;
}

/** Returns the rows of a page about erased people and opt-outs; null if there are none. */
export function erasuresIn({ store, steps, tables, last }: PageRecord): PageRecord | null {
  const kept = tables.flatMap(({ table, columns, rows }) => {
    const keeps = KEPT[kindOf(store, table)];
    const left = rows.filter((row) => keeps?.((column) => row[columns.indexOf(column)] ?? null) ?? false);
    return left.length > 0 ? [{ table, columns, rows: left }] : [];
  });
  return kept.length > 0 ? { store, steps, tables: kept, last } : null;
}

/** What to erase after restoring an older backup. */
export interface Erased {
  /** E.164. */
  numbers: Set<string>;
  conversations: Set<string>;
  recordings: Set<string>;
}

/** The rows that erasures have left in a later state of the account. */
interface ErasedRows {
  calls: Set<string>;
  /** `<campaign> <contact>` */
  contacts: Set<string>;
  removed: Set<string>;
  optOuts: Set<string>;
  /** The key, sealed as in the file; null if no erased person had opted out. */
  key: string | null;
}

/**
 * Finds the people in an older backup who were erased before a later file was written.
 * @throws Error with a sentence
 */
export async function erasedSince(older: OpenBackup, later: OpenBackup): Promise<Erased> {
  const { head, rows } = await readErasedRows(later);
  const { key, optOuts } = rows;
  const transport = { ENCRYPTION_KEYS: `backup:${later.keys.transport}` };
  const hmac = key === null ? null : await openKey(transport, head.account.name, key);
  const hasOptedOut = (number: string) => hmac !== null && optOuts.has(hmac.idOf(number));

  const erased: Erased = { numbers: new Set(), conversations: new Set(), recordings: new Set() };
  const calls = new Set<string>();
  for await (const record of older.records()) {
    if (record.type === "head") assertLater(record.value, head);
    if (record.type !== "page") continue;
    const { store, tables } = record.value;
    for (const table of tables) for (const cell of rowsOf(table)) findIn(kindOf(store, table.table), store, cell);
  }
  return erased;

  function findIn(kind: string, store: string, cell: (column: string) => Cell): void {
    const text = (column: string) => String(cell(column) ?? "");
    if (kind === "ledger/calls" && rows.calls.has(text("id"))) {
      calls.add(text("id"));
      person(text(cell("direction") === "inbound" ? "from_number" : "to_number"));
    } else if (kind === "ledger/conversations") {
      if (rows.removed.has(text("id")) || calls.has(text("call_id"))) erased.conversations.add(text("id"));
    } else if (kind === "ledger/recordings") {
      if (rows.removed.has(text("id")) || calls.has(text("call_id"))) erased.recordings.add(text("id"));
    } else if (kind === "campaign/contacts") {
      if (rows.contacts.has(`${store} ${cell("id")}`)) person(shown(cell("phone")));
    } else if (kind === "d1/do_not_call" && hasOptedOut(text("phone_number"))) person(text("phone_number"));
  }

  function person(number: string): void {
    if (number.startsWith("+")) erased.numbers.add(number);
  }
}

const shown = (digits: Cell): string => (digits === null || digits === ERASED_NUMBER ? "" : `+${digits}`);

async function readErasedRows(later: OpenBackup): Promise<{ head: Head; rows: ErasedRows }> {
  const rows: ErasedRows = {
    calls: new Set(),
    contacts: new Set(),
    removed: new Set(),
    optOuts: new Set(),
    key: null,
  };
  let head: Head | null = null;
  for await (const record of later.records()) {
    if (record.type === "head") head = record.value;
    const page = record.type === "page" ? erasuresIn(record.value) : null;
    for (const table of page?.tables ?? [])
      for (const cell of rowsOf(table)) note(rows, kindOf(page?.store ?? "", table.table), page?.store ?? "", cell);
  }
  if (head === null) throw new DamagedBackup("the file of erasures has no header");
  return { head, rows };
}

function note(rows: ErasedRows, kind: string, store: string, cell: (column: string) => Cell): void {
  const id = String(cell("id"));
  if (kind === "ledger/calls") rows.calls.add(id);
  else if (kind === "ledger/removed") rows.removed.add(id);
  else if (kind === "campaign/contacts") rows.contacts.add(`${store} ${id}`);
  else if (kind === "d1/erased_opt_outs") {
    if (id === KEY_ID) rows.key = String(cell("sealed"));
    else rows.optOuts.add(id);
  }
}

/** @throws Error with a sentence if the file is not of the same account, or not later */
function assertLater(older: Head, later: Head): void {
  const [a, b] = [older.account, later.account];
  if (a.name !== b.name || a.created_at !== b.created_at)
    throw new Error(`the erasures are of the account ${b.name}, but the backup is of ${a.name}`);
  if (later.taken_at < older.taken_at)
    throw new Error(`the erasures were taken at ${later.taken_at}, before the backup (${older.taken_at})`);
}

/** Yields the pages of a later file that have opt-outs to add to those of the backup. */
export async function* optOutsOf(later: OpenBackup): AsyncGenerator<PageRecord> {
  for await (const record of later.records()) {
    const page = record.type === "page" && record.value.store === "d1" ? erasuresIn(record.value) : null;
    if (page) yield page;
  }
}

/** Checks whether a record of a backup is the file of a conversation or recording that was erased since. */
export function isErased({ conversations, recordings }: Erased, record: Record_ & { type: "file" }): boolean {
  const { bucket, name } = record.value;
  return (bucket === "recordings" ? recordings : conversations).has(name.replace(/\.json$/, ""));
}

import { asc, gt, inArray, sql } from "drizzle-orm";
import { type AccountStore, mapped, type Read, together } from "../../kernel/db/account-store.ts";
import { doNotCall, erasedOptOuts } from "../../kernel/db/schema/index.ts";
import { spellingsOf } from "../../kernel/numbers/spellings.ts";
import { KEY_ID, lastKey, type OptOutKey, openKey } from "./opt-out-key.ts";

/** Number of entries of the list read at a time. */
const PAGE_ROWS = 50_000;
/** Number of HMACs to read while the key is not cached, because none can be computed before the read. */
const UNKNOWN_KEY_ROWS = 1_000;

/** The dependencies of reading the list. Opt-outs of erased people can be recognized only with the account's key. */
export interface ListContext {
  env: Pick<Env, "ENCRYPTION_KEYS">;
  store: Pick<AccountStore, "account" | "read" | "select">;
}

type KeptRow = { id: string; sealed: string | null };

/** The rows read about some numbers on the list. */
export interface Blocked {
  listed: string[];
  erased: ErasedFound;
}

/**
 * The rows read about opt-outs of erased people, and the key by which they were selected. The key is null if all were
 * read, up to a limit.
 */
export interface ErasedFound {
  rows: KeptRow[];
  by: OptOutKey | null;
}

/**
 * Returns the read of which of these numbers are on the list, to be batched with others; `blockedAmong` evaluates it.
 */
export function blockedRead(store: ListContext["store"], numbers: string[]): Read<Blocked> {
  const listed = store.select(doNotCall, {
    where: inArray(doNotCall.phone_number, listOf(numbers)),
    columns: ["phone_number"],
  });
  return together(listed, erasedRead(store, numbers), (rows, erased) => ({
    listed: rows.map(({ phone_number }) => phone_number),
    erased,
  }));
}

/** Returns the same read for opt-outs of erased people alone; `erasedAmong` evaluates it. */
export function erasedRead(store: ListContext["store"], numbers: string[]): Read<ErasedFound> {
  const by = lastKey(store.account);
  const ids = by && [KEY_ID, ...numbers.flatMap((number) => idsOf(by, number))];
  const rows = store.select(erasedOptOuts, {
    columns: ["id", "sealed"],
    orderBy: [asc(erasedOptOuts.id)],
    limit: ids?.length ?? UNKNOWN_KEY_ROWS,
    where: ids ? inArray(erasedOptOuts.id, listOf(ids)) : undefined,
  });
  return mapped(rows, (rows) => ({ rows, by }));
}

export async function blockedAmong(context: ListContext, numbers: string[], { listed, erased }: Blocked) {
  return new Set([...listed, ...(await erasedAmong(context, numbers, erased)).keys()]);
}

/**
 * Returns the HMACs under which a number's opt-out may be stored: that of its current spelling and those of earlier
 * spellings.
 */
const idsOf = (key: OptOutKey, number: string) => spellingsOf(number).map((spelling) => key.idOf(spelling));

/** Returns which of the numbers are opt-outs of erased people, each with its HMACs. */
export async function erasedAmong(
  { env, store }: ListContext,
  numbers: string[],
  { rows, by }: ErasedFound,
): Promise<Map<string, string[]>> {
  const sealed = rows.find(({ id }) => id === KEY_ID)?.sealed;
  if (sealed == null) return new Map();
  const key = await openKey(env, store.account, sealed);
  const isWhole = by ? key.isSame(by) : rows.length < UNKNOWN_KEY_ROWS;
  const all = numbers.map((number) => [number, idsOf(key, number)] as const);
  const found = isWhole
    ? rows
    : await readKept(
        store,
        all.flatMap(([, ids]) => ids),
      );
  const kept = new Set(found.map(({ id }) => id));
  const stored = all.map(([number, ids]) => [number, ids.filter((id) => kept.has(id))] as const);
  return new Map(stored.filter(([, ids]) => ids.length > 0));
}

/** Reads the opt-outs by HMACs, if the key was not cached before the first read. */
async function readKept(store: ListContext["store"], ids: string[]): Promise<Pick<KeptRow, "id">[]> {
  const where = inArray(erasedOptOuts.id, listOf(ids));
  const [rows] = await store.read(store.select(erasedOptOuts, { where, columns: ["id"] }));
  return rows;
}

/**
 * Yields the whole list, a page of numbers at a time. Erased people on the list are found only among `candidates`,
 * which are requested only if there are such people.
 */
export async function* blockedPages(
  context: ListContext,
  candidates: () => AsyncIterable<string[]>,
): AsyncGenerator<string[]> {
  const { store } = context;
  const [first, kept] = await store.read(listedAfter(store, ""), keptAfter(store, ""));
  for (let rows = first; ; [rows] = await store.read(listedAfter(store, rows.at(-1) ?? ""))) {
    yield rows;
    if (rows.length < PAGE_ROWS) break;
  }
  yield* erasedPages(context, kept, candidates);
}

const listedAfter = (store: ListContext["store"], last: string) =>
  mapped(
    store.select(doNotCall, {
      where: gt(doNotCall.phone_number, last),
      columns: ["phone_number"],
      orderBy: [asc(doNotCall.phone_number)],
      limit: PAGE_ROWS,
    }),
    (rows) => rows.map(({ phone_number }) => phone_number),
  );

const keptAfter = (store: ListContext["store"], last: string) =>
  store.select(erasedOptOuts, {
    where: gt(erasedOptOuts.id, last),
    columns: ["id", "sealed"],
    orderBy: [asc(erasedOptOuts.id)],
    limit: PAGE_ROWS,
  });

/** Yields the candidates that are erased people on the list; `first` is the first page of their opt-outs. */
async function* erasedPages(
  context: ListContext,
  first: KeptRow[],
  candidates: () => AsyncIterable<string[]>,
): AsyncGenerator<string[]> {
  const { env, store } = context;
  const sealed = first[0]?.sealed;
  if (sealed == null) return;
  const ids = new Set<string>();
  for (let rows = first; ; [rows] = await store.read(keptAfter(store, rows.at(-1)?.id ?? ""))) {
    for (const { id } of rows) ids.add(id);
    if (rows.length < PAGE_ROWS) break;
  }
  const key = await openKey(env, store.account, sealed);
  for await (const numbers of candidates()) {
    const found = numbers.filter((number) => idsOf(key, number).some((id) => ids.has(id)));
    if (found.length === 0) continue;
    // A number that was put on the list again was already yielded with the listed numbers.
    const where = inArray(doNotCall.phone_number, listOf(found));
    const [again] = await store.read(store.select(doNotCall, { where, columns: ["phone_number"] }));
    const listed = new Set(again.map(({ phone_number }) => phone_number));
    yield found.filter((number) => !listed.has(number));
  }
}

const listOf = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

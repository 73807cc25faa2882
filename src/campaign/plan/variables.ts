import { giveWay } from "../../kernel/durable/give-way.ts";
import { namesWithoutDefault, placeholders } from "../../kernel/rendering/placeholders.ts";
import { type Variable, valuesOf, variableName } from "../../kernel/rendering/variables.ts";
import type { LongValues, MissingVariable, MissingVariables } from "../decide/preflight.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { CellCounts } from "../store/contact-cells.ts";

/**
 * The number of contacts whose cells are read in one request: all waiting contacts, or a sample spread over the file.
 */
const MOST_CONTACTS = 100_000;
/** The number of contacts read before other requests get a turn. A sample consists of runs of this many rows. */
const A_TURN = 5_000;
/** Maximum number of placeholders that are checked; more wouldn't help the reader. */
const MOST_NAMES = 50;

/**
 * Returns the placeholders of these texts that have no default and no value for some `waiting` contacts: there is no
 * column or built-in variable with this name, or the cell is empty. It also returns those whose value is too long.
 */
export async function checkVariables(
  store: CampaignStore,
  texts: string[],
  builtIn: Variable[],
  waiting: number,
): Promise<{ missing: MissingVariables; long: LongValues }> {
  const header: string[] = JSON.parse(store.campaign.existing.columns);
  const positions = new Map(header.map((column, position) => [variableName(column), position] as const).reverse());
  const builtInValues = valuesOf([["phone_number", "+"], ...builtIn]);
  const unknown: MissingVariable[] = [];
  const cells: { name: string; position: number; hasDefault: boolean }[] = [];
  const bare = new Set(texts.flatMap(namesWithoutDefault));
  const named = texts.flatMap((text) => Array.from(placeholders(text), ({ name }) => name));
  for (const name of new Set([...bare, ...named])) {
    const position = name === "phone_number" ? undefined : positions.get(name);
    if (position !== undefined) cells.push({ name, position, hasDefault: !bare.has(name) });
    else if (bare.has(name) && !builtInValues.get(name)) unknown.push({ name, empty: null });
  }
  const looked = cells.slice(0, MOST_NAMES);
  const columns = looked.map(({ position }) => position);
  const { contacts, empty, long } =
    looked.length === 0 ? { contacts: waiting, empty: [], long: [] } : await countCells(store, columns, waiting);
  const missing = looked
    .map(({ name, hasDefault }, i) => ({ name, empty: hasDefault ? 0 : (empty[i] ?? 0) }))
    .filter((cell) => cell.empty > 0);
  const tooLong = looked.map(({ name }, i) => ({ name, contacts: long[i] ?? 0 })).filter((cell) => cell.contacts > 0);
  return {
    missing: { variables: [...unknown, ...missing], lookedAt: contacts },
    long: { variables: tooLong, lookedAt: contacts },
  };
}

async function countCells(store: CampaignStore, columns: number[], waiting: number): Promise<CellCounts> {
  const sum: CellCounts = { contacts: 0, empty: columns.map(() => 0), long: columns.map(() => 0) };
  for (const look of waiting <= MOST_CONTACTS ? everyWaiting(store) : sample(store)) {
    const { contacts, empty, long } = look(columns);
    sum.contacts += contacts;
    sum.empty = sum.empty.map((n, i) => n + (empty[i] ?? 0));
    sum.long = sum.long.map((n, i) => n + (long[i] ?? 0));
    await giveWay();
    // The campaign may have been deleted in the meantime.
    if (store.campaign.row === null) break;
  }
  return sum;
}

type Look = (columns: number[]) => CellCounts;

function* everyWaiting({ cells }: CampaignStore): Generator<Look> {
  const rows = cells.waitingRows(MOST_CONTACTS);
  for (let from = 0; from < rows.length; from += A_TURN)
    yield (columns) => cells.countAmong(rows.slice(from, from + A_TURN), columns);
}

/** Reads runs of contacts at even distances, so that few pages of the database file are read. */
function* sample({ cells }: CampaignStore): Generator<Look> {
  const runs = MOST_CONTACTS / A_TURN;
  const distance = Math.max(A_TURN, Math.floor(cells.lastRow() / runs));
  for (let run = 0; run < runs; run++)
    yield (columns) => cells.countBetween(run * distance + 1, run * distance + A_TURN, columns);
}

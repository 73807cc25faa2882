import { giveWay } from "../../kernel/durable/give-way.ts";
import { namesWithoutDefault, variableName } from "../../kernel/rendering/placeholders.ts";
import { type Variable, valuesOf } from "../../kernel/rendering/variables.ts";
import type { MissingVariable, MissingVariables } from "../decide/preflight.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { EmptyCells } from "../store/contact-cells.ts";

/** Contacts whose cells are looked at in one request: all that wait, or, of more, a sample spread over the file. */
const MOST_CONTACTS = 100_000;
/** Contacts looked at before other requests get a turn; a sample is made of runs of as many rows. */
const A_TURN = 5_000;
/** Most placeholders whose cells are checked; more would help nobody. */
const MOST_NAMES = 50;

/**
 * The placeholders of these texts that have no default, and no value for some of the `waiting` contacts: no column and
 * nothing built in is called so, or the cell is empty.
 */
export async function findMissing(
  store: CampaignStore,
  texts: string[],
  builtIn: Variable[],
  waiting: number,
): Promise<MissingVariables> {
  const columns: string[] = JSON.parse(store.campaign.existing.columns);
  const places = new Map(columns.map((column, place) => [variableName(column), place] as const).reverse());
  const builtInValues = valuesOf([["phone_number", "+"], ...builtIn]);
  const unknown: MissingVariable[] = [];
  const cells: { name: string; place: number }[] = [];
  for (const name of new Set(texts.flatMap(namesWithoutDefault))) {
    const place = name === "phone_number" ? undefined : places.get(name);
    if (place !== undefined) cells.push({ name, place });
    else if (!builtInValues.get(name)) unknown.push({ name, empty: null });
  }
  const looked = cells.slice(0, MOST_NAMES);
  if (looked.length === 0) return { variables: unknown, lookedAt: waiting };
  const { contacts, empty } = await countEmpty(
    store,
    looked.map(({ place }) => place),
    waiting,
  );
  const missing = looked.map(({ name }, i) => ({ name, empty: empty[i] ?? 0 })).filter((cell) => cell.empty > 0);
  return { variables: [...unknown, ...missing], lookedAt: contacts };
}

/** The empty cells of each of these columns. */
async function countEmpty(store: CampaignStore, columns: number[], waiting: number): Promise<EmptyCells> {
  const sum: EmptyCells = { contacts: 0, empty: columns.map(() => 0) };
  for (const look of waiting <= MOST_CONTACTS ? everyWaiting(store) : sample(store)) {
    const { contacts, empty } = look(columns);
    sum.contacts += contacts;
    sum.empty = sum.empty.map((n, i) => n + (empty[i] ?? 0));
    await giveWay();
    // The campaign may have been deleted in the meantime.
    if (store.campaign.row === null) break;
  }
  return sum;
}

type Look = (columns: number[]) => EmptyCells;

function* everyWaiting({ cells }: CampaignStore): Generator<Look> {
  const rows = cells.waitingRows(MOST_CONTACTS);
  for (let from = 0; from < rows.length; from += A_TURN)
    yield (columns) => cells.emptyAmong(rows.slice(from, from + A_TURN), columns);
}

/** Runs of contacts at even distances, so that the pages of the file that are read stay few. */
function* sample({ cells }: CampaignStore): Generator<Look> {
  const runs = MOST_CONTACTS / A_TURN;
  const distance = Math.max(A_TURN, Math.floor(cells.lastRow() / runs));
  for (let run = 0; run < runs; run++)
    yield (columns) => cells.emptyBetween(run * distance + 1, run * distance + A_TURN, columns);
}

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ErasedPiece, ErasureLimits } from "../../src/campaign/object/erase-person.ts";
import { NumberMask } from "../../src/kernel/mask-number.ts";

type Who = { account: string };

export const objectOf = ({ account }: Who, path: string) =>
  env.CAMPAIGN.getByName(`${account}/${path.split("/").at(-1)}`);

/** Erases a person from the campaign, call by call, until it is done. `between` runs after each call. */
export async function erase(
  who: Who,
  path: string,
  numbers: string[],
  {
    erasure = crypto.randomUUID(),
    between = async () => {},
    limits,
  }: { erasure?: string; between?: () => Promise<void>; limits?: ErasureLimits } = {},
): Promise<ErasedPiece & { erasure: string }> {
  for (let calls = 0; calls < 500; calls++) {
    const erased = await objectOf(who, path).erasePerson({ erasure, numbers, ...(limits && { limits }) });
    await between();
    if (erased.done) return { ...erased, erasure };
  }
  throw new Error("the campaign does not finish the erasure");
}

/** Returns every cell of the campaign's tables that contains the number, as `table.column: value`. */
export function leftovers(who: Who, path: string, number: string): Promise<string[]> {
  const mask = new NumberMask(number);
  const names = (value: unknown): boolean => {
    if (typeof value !== "string") return value === Number(number.slice(1));
    if (mask.text(value) !== value) return true;
    return isJson(value) && mask.jsonText(value) !== value;
  };
  return runInDurableObject(objectOf(who, path), (_, { storage: { sql } }) =>
    sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
      )
      .toArray()
      .flatMap(({ name }) =>
        sql
          .exec<Record<string, SqlStorageValue>>(`SELECT * FROM "${name}"`)
          .toArray()
          .flatMap((row) =>
            Object.entries(row).flatMap(([column, value]) => (names(value) ? [`${name}.${column}: ${value}`] : [])),
          ),
      ),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

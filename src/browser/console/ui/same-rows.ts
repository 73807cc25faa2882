import { replaceEqualDeep } from "@tanstack/query-core";
import { type Accessor, createMemo } from "solid-js";

/**
 * Returns the rows of a list and reuses the previous object of each row that didn't change, whatever its position. The
 * row's elements therefore stay in the page, and with them the focus and a click in progress.
 */
export function sameRows<Row>(rows: Accessor<Row[]>, keyOf: (row: Row) => string): Accessor<Row[]> {
  return createMemo<Row[]>((shown) => {
    const byKey = new Map(shown.map((row) => [keyOf(row), row]));
    return rows().map((row) => replaceEqualDeep(byKey.get(keyOf(row)), row));
  }, []);
}

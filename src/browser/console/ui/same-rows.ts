import { replaceEqualDeep } from "@tanstack/query-core";
import { type Accessor, createMemo } from "solid-js";

/**
 * The rows of a list, each the very object it was before where it says the same, whatever place it has now: its elements
 * stay in the page, and with them the focus and a click that is under way.
 */
export function sameRows<Row>(rows: Accessor<Row[]>, keyOf: (row: Row) => string): Accessor<Row[]> {
  return createMemo<Row[]>((shown) => {
    const byKey = new Map(shown.map((row) => [keyOf(row), row]));
    return rows().map((row) => replaceEqualDeep(byKey.get(keyOf(row)), row));
  }, []);
}

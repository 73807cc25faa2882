import { CATALOG } from "../../../src/agent/catalog/index.ts";
import type { Cell } from "../../../src/kernel/backup/declared.ts";
import { isCellOf, type RestoredColumn } from "../../../src/kernel/backup/restored-rows.ts";
import { NO_DISCLOSURE, NO_PHRASES } from "../../../src/kernel/db/schema/index.ts";

/** Example texts. Each text column accepts at least one. */
const TEXTS = [
  "a_name",
  "2026-11-01T00:00:00.000Z",
  "2026-11-01",
  "+12025550100",
  "019aa5c4-0000-7000-8000-000000000000",
  "0".repeat(64),
  "abcd1234",
  "#134e4a",
  "https://shop.example/hook",
  "a@example.com",
  "Europe/Berlin",
  "de-DE",
  "sandbox",
  "text/markdown",
  "model/gpt-4o/input",
  "call.started",
  CATALOG.integrations[0]?.id ?? "",
  "[]",
  "{}",
  '["read"]',
  '["*"]',
  '["+1"]',
  '["203.0.113.0/24"]',
  '["019aa5c4-0000-7000-8000-000000000000"]',
  '[{"says":"hello"}]',
  '[{"ended":true}]',
  '{"enabled":false,"model":null,"summary":true,"criteria":[],"data":[]}',
  JSON.stringify(NO_PHRASES),
  "gpt-4o",
  '"account"',
  JSON.stringify(NO_DISCLOSURE),
];
const NUMBERS = [1, 0, 8, 45, 120, 365, 12_025_550_100];

/** Returns a cell that the column can hold. @throws Error for a column that needs another candidate */
export function goodCell(column: RestoredColumn): Cell {
  const candidates: readonly Cell[] = column.values ?? (column.type === "text" ? TEXTS : NUMBERS);
  const cell = candidates.find((candidate) => isCellOf(column, candidate));
  if (cell === undefined) throw new Error(`no cell for ${column.name}`);
  return cell;
}

/** Returns cells that no column of this kind can hold. */
export function badCells({ type, isSigned = false, values, border }: RestoredColumn): Cell[] {
  if (type === "text") return [7, "x".repeat(2_000_001)];
  const ofNumbers: Cell[] = ["seven", "7", 1e300];
  if (!isSigned) ofNumbers.push(-1);
  if (type === "integer" || values || border) ofNumbers.push(0.5 + 1e9);
  return ofNumbers;
}

/** Returns the check that keeps a doctored cell out of a column. */
export function keptOutBy({ name, type, isKey, json, values, border }: RestoredColumn): string {
  if (values) return "values";
  if (border) return "border";
  if (json) return "json";
  if (type !== "text") return "number";
  if (name === "at" || name.endsWith("_at")) return "time";
  return isKey ? "key" : "text";
}

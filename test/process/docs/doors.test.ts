import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rowsOf, TABLE } from "../../doors/table.ts";

it("shows which credential opens which door as the service answers", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/tokens.md"), "utf8");
  const [table = ""] = /^\| shown .*(?:\n\|.*)+/m.exec(page) ?? [];
  expect(rowsOf(table)).toEqual(rowsOf(TABLE));
});

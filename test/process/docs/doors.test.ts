import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rowsOf, TABLE } from "../../doors/table.ts";

it("the table of credentials agrees with the service", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/tokens.md"), "utf8");
  const [table = ""] = /^\| shown .*(?:\n\|.*)+/m.exec(page) ?? [];
  expect(rowsOf(table)).toEqual(rowsOf(TABLE));
});

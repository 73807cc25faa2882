import type { FieldError } from "../../kernel/http/errors.ts";
import { columnKey, columnRole, MAX_COLUMNS, MAX_ROW_CHARS } from "../../lists/columns.ts";

/** A JSON merge patch of a contact's variables; null empties one. */
export type VariablesPatch = Record<string, string | null>;

/** The patched variables and the changed names, or the error in the patch. */
export type PatchedVariables = { columns: string[]; values: string[]; changed: string[] } | { wrong: FieldError };

/** Merges the patch into a contact's cells. A new name adds a column, unless its value is empty. */
export function patchVariables(columns: string[], values: string[], patch: VariablesPatch): PatchedVariables {
  const names = [...columns];
  const cells = names.map((_, i) => values[i] ?? "");
  const changed: string[] = [];
  for (const [name, value] of Object.entries(patch)) {
    let at = names.indexOf(name);
    if (at === -1) {
      const wrong = newColumnRefusal(names, name);
      if (wrong !== null) return { wrong };
      if (value === null) continue;
      at = names.push(name) - 1;
      cells.push("");
    } else if (cells[at] === (value ?? "")) continue;
    cells[at] = value ?? "";
    changed.push(name);
  }
  const fits = (texts: string[]) => texts.reduce((size, text) => size + text.length, 0) <= MAX_ROW_CHARS;
  if (!fits(cells)) return { wrong: tooLong(`must not have more than ${MAX_ROW_CHARS} characters in total`) };
  if (!fits(names))
    return { wrong: tooLong(`the column names must not have more than ${MAX_ROW_CHARS} characters in total`) };
  return { columns: names, values: cells, changed };
}

/** Returns why a column with this name can't be added; null if it can. */
function newColumnRefusal(columns: string[], name: string): FieldError | null {
  const key = columnKey(name);
  if (key === "" || name !== name.trim() || columnRole(name) !== "own")
    return { field: "variables", code: "invalid_name", message: `${JSON.stringify(name)} is not a valid column name` };
  const field = `variables.${name}`;
  if (key === "phone_number") return { field, code: "not_allowed", message: "use phone_number to change the number" };
  const alike = columns.find((column) => columnKey(column) === key);
  if (alike !== undefined) return { field, code: "unknown", message: `the column is called ${alike}` };
  if (columns.length + 1 >= MAX_COLUMNS)
    return {
      field,
      code: "too_long",
      message: `a campaign can have at most ${MAX_COLUMNS} columns, including the number`,
    };
  return null;
}

const tooLong = (message: string): FieldError => ({ field: "variables", code: "too_long", message });

import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { unstable_splitSqlQuery } from "wrangler";
import { hashOfMigration, withHashRow } from "../../../src/dev/migration-files.ts";

const FOLDER = `${import.meta.dirname}/../../../migrations`;
const FILES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".sql"))
  .sort();

/**
 * Returns the string that wrangler sends for a file: its text, the statement that stores its hash, and the statement
 * that records it as applied.
 */
function sent(file: string): string {
  const sql = readFileSync(`${FOLDER}/${file}`, "utf8");
  const recorded = withHashRow({ name: file, sql, hash: hashOfMigration(sql) });
  return `${recorded}\nINSERT INTO d1_migrations (name)\nvalues ('${file}');`;
}

/** Splits at every semicolon. */
const everySemicolon = (sql: string) => sql.split(";").filter((piece) => piece.trim() !== "");

/** Splits at the semicolons outside of quotes, but treats an apostrophe in a comment as a quote. */
function blindToComments(sql: string): string[] {
  const pieces = [""];
  let quote = "";
  for (const character of sql) {
    if (quote === "" && character === ";") pieces.push("");
    else pieces[pieces.length - 1] += character;
    if (quote === "" && /['"`]/.test(character)) quote = character;
    else if (character === quote) quote = "";
  }
  return pieces.filter((piece) => piece.trim() !== "");
}

/** Applies all files piece by piece; returns the resulting schema and accounts. */
function applied(split: (sql: string) => string[]) {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE d1_migrations (name TEXT UNIQUE)");
  for (const file of FILES)
    for (const piece of split(sent(file))) {
      // D1 refuses a piece without a statement.
      expect(piece.replaceAll(/--.*/g, "").trim(), file).not.toBe("");
      db.prepare(piece).run();
    }
  const schema = db.prepare("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name").all();
  const accounts = db.prepare("SELECT name, plan, listed FROM accounts").all();
  return { schema, accounts, files: db.prepare("SELECT name FROM d1_migrations ORDER BY name").all() };
}

describe("the migrations of D1", () => {
  const whole = applied(unstable_splitSqlQuery);

  it("apply as wrangler splits them, and create the operators' account", () => {
    expect(whole.files.map(({ name }) => name)).toEqual(FILES);
    expect(whole.accounts.map((row) => Object.values(row))).toEqual([["service-admin", "starter", 0]]);
  });

  it.each([
    ["at every semicolon", everySemicolon],
    ["without regard to comments", blindToComments],
  ])("apply one piece after the other if they are split %s", (_, split) => {
    expect(applied(split)).toEqual(whole);
  });

  it("contain no trigger, whose body would contain semicolons", () => {
    expect(whole.schema.filter(({ type }) => type === "trigger")).toEqual([]);
  });
});

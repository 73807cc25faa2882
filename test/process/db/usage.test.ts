import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { unstable_splitSqlQuery } from "wrangler";

const FOLDER = `${import.meta.dirname}/../../../migrations`;
const COUNTING = "0004_account-usage.sql";

/** Applies migrations as wrangler does: cut into statements by its own hand. */
function apply(db: DatabaseSync, chosen: (file: string) => boolean) {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".sql") && chosen(file));
  for (const file of files.sort())
    for (const statement of unstable_splitSqlQuery(readFileSync(`${FOLDER}/${file}`, "utf8"))) db.exec(statement);
}

it("counts what accounts had before anything was counted", () => {
  const db = new DatabaseSync(":memory:");
  apply(db, (file) => file < COUNTING);
  const at = "2026-11-21T12:00:00.000Z";
  const insert = (table: string, rows: Record<string, string | number | null>[]) => {
    for (const row of rows) {
      const places = Object.keys(row).map(() => "?");
      db.prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places})`).run(...Object.values(row));
    }
  };
  insert(
    "accounts",
    ["one", "two"].map((name) => ({ name, display_name: name, plan: "starter", created_at: at, updated_at: at })),
  );
  const key = (account: string, id: string, disabled_at: string | null) => {
    return { account, id, name: "äö", hash: id, last8: "", created_at: at, disabled_at };
  };
  insert("api_keys", [key("one", "a", null), key("one", "b", null), key("one", "c", at), key("two", "a", null)]);
  const faq = (id: string, is_default: number, modified_from_default: number) => {
    const text = { name: id, title: "", summary: "", content: "four", category: "", tags: "[]" };
    return Object.assign(text, {
      account: "one",
      id,
      is_default,
      modified_from_default,
      created_at: at,
      updated_at: at,
    });
  };
  insert("faqs", [faq("a", 0, 0), faq("b", 1, 0), faq("c", 1, 1)]);
  const sealed = { provider: "twilio", label: "", credential_keys: "[]", created_at: at };
  insert("telephony_providers", [
    Object.assign({ account: "two", id: "a", credentials: "v1.key.iv.data", deleted_at: null }, sealed),
    Object.assign({ account: "two", id: "b", credentials: "v1.longer.iv.data", deleted_at: at }, sealed),
  ]);

  apply(db, (file) => file >= COUNTING);
  const used = db.prepare("SELECT account, name, used FROM account_usage WHERE used <> 0 ORDER BY account, name").all();
  const key_ = 256 + 4;
  const faq_ = 256 + 1 + 4 + 2;
  const credentials_ = 256 + 2 + "v1.iv.data".length;
  expect(used.map((row) => Object.values(row))).toEqual([
    ["one", "api_keys", 2],
    ["one", "configuration_bytes", 3 * key_ + 2 * faq_],
    ["one", "faqs", 1],
    ["two", "api_keys", 1],
    ["two", "configuration_bytes", key_ + 2 * credentials_],
    ["two", "credentials", 1],
  ]);
});

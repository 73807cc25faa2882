import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./paths.ts";

export const MIGRATIONS = join(ROOT, "migrations");

/** A migration of the database, identified by its name and the hash of its text. */
export interface MigrationFile {
  name: string;
  sql: string;
  /** The first half of its SHA-256, hexadecimal. */
  hash: string;
}

export interface AppliedMigration {
  name: string;
  /** Null if its hash was not stored, as when wrangler applied it by itself. */
  hash: string | null;
}

/** The table beside wrangler's `d1_migrations` with the hash of each applied migration. */
export const HASHES_TABLE =
  "CREATE TABLE IF NOT EXISTS migration_hashes (name TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL)";

const HASH_DIGITS = 32;

/** Returns the migrations of this release in the order in which they are applied. */
export async function migrationFiles(folder = MIGRATIONS): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      return { name, sql, hash: hashOfMigration(sql) };
    }),
  );
}

/** Returns the hash of a migration's text, independent of the line ends of a checkout. */
export function hashOfMigration(sql: string): string {
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex").slice(0, HASH_DIGITS);
}

/** Returns the names of the migrations whose files were changed since they were applied. */
export function changedSince(applied: AppliedMigration[], files: MigrationFile[]): string[] {
  const hashes = new Map(files.map(({ name, hash }) => [name, hash]));
  return applied
    .filter(({ name, hash }) => hash !== null && hashes.has(name) && hashes.get(name) !== hash)
    .map(({ name }) => name)
    .sort();
}

/** Returns the Worker's binding `MIGRATION_HASHES`: the migrations that it expects in its database. */
export function migrationHashes(files: MigrationFile[]): string {
  return JSON.stringify(Object.fromEntries(files.map(({ name, hash }) => [name, hash])));
}

/** Returns the migration's text followed by a statement that stores its hash, so that wrangler applies both at once. */
export function withHashRow({ name, sql, hash }: MigrationFile): string {
  const text = sql.trimEnd();
  const end = text.endsWith(";") ? "" : ";";
  return `${text}${end}\n${HASHES_TABLE};\nINSERT OR REPLACE INTO migration_hashes (name, hash) VALUES ('${name}', '${hash}');\n`;
}

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OBJECTS } from "../../account-data/stores.ts";
import { hashOfStep } from "../../kernel/durable/migrate.ts";
import { migrationFiles } from "../migration-files.ts";
import { ROOT } from "../paths.ts";

/** The file with the released hashes. */
const RELEASED = join(ROOT, "docs/releases/schema.json");

/** The hashes of D1's migrations and of the steps of each class of objects, by `D1/<file>` or `<class>/<id>`. */
export type SchemaHashes = Record<string, string>;

/** Returns the migrations and steps of this version, in their order. */
export async function schemaHashes(): Promise<SchemaHashes> {
  const files = (await migrationFiles()).map(({ name, hash }) => [`D1/${name}`, hash]);
  const steps = Object.entries(OBJECTS).flatMap(([name, { migrations }]) =>
    migrations.map((step) => [`${name}/${step.id}`, hashOfStep(step)]),
  );
  return Object.fromEntries([...files, ...steps]);
}

/** Returns the hashes of the last release. */
export async function releasedHashes(): Promise<SchemaHashes> {
  return JSON.parse(await readFile(RELEASED, "utf8")) as SchemaHashes;
}

/** Records the migrations and steps of this version as released. @throws Error if released ones were changed */
export async function releaseSchema(): Promise<void> {
  const [released, now] = await Promise.all([releasedHashes(), schemaHashes()]);
  const changed = changedSinceRelease(released, now);
  if (changed.length > 0)
    throw new Error(
      `${changed.join(", ")} changed since the last release: restore it, and put the change into a new one`,
    );
  await writeFile(RELEASED, `${JSON.stringify(now, null, 1)}\n`);
}

/** Returns the released migrations and steps whose text or position has changed. */
export function changedSinceRelease(released: SchemaHashes, now: SchemaHashes): string[] {
  const ownerOf = (name: string) => name.slice(0, name.indexOf("/"));
  const namesOf = (hashes: SchemaHashes, owner: string) =>
    Object.keys(hashes).filter((name) => ownerOf(name) === owner);
  return Object.keys(released).filter((name) => {
    const owner = ownerOf(name);
    const nth = namesOf(released, owner).indexOf(name);
    return now[name] !== released[name] || namesOf(now, owner)[nth] !== name;
  });
}

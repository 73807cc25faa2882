import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Conversation } from "./reception.ts";

const R2 = "v3/r2";

/** Returns the conversations that a service with its state in this folder has in R2, by key. */
export async function archived(stateDir: string): Promise<Map<string, Conversation>> {
  const files = await readdir(join(stateDir, R2, "miniflare-R2BucketObject")).catch(() => []);
  const kept = new Map<string, Conversation>();
  for (const file of files.filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")) {
    const database = new DatabaseSync(join(stateDir, R2, "miniflare-R2BucketObject", file), { readOnly: true });
    try {
      for (const { key, blob_id } of database.prepare("SELECT key, blob_id FROM _mf_objects").all()) {
        const path = join(stateDir, R2, "switchboard-conversations", "blobs", String(blob_id));
        const text = await readFile(path, "utf8").catch(() => null);
        if (text !== null) kept.set(String(key), JSON.parse(text) as Conversation);
      }
    } finally {
      database.close();
    }
  }
  return kept;
}

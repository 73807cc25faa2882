import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns a hash over files and the content of folders. Adding, removing, moving or changing a file changes it.
 * Installed packages and files that contain only types are ignored.
 */
export async function hashOf(paths: string[]): Promise<string> {
  const files = (await Promise.all(paths.map(filesOf))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash("sha256");
  for (const [nth, content] of contents.entries()) hash.update(`${files[nth]}\n${content.length}\n`).update(content);
  return hash.digest("hex");
}

async function filesOf(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name, parentPath }) => !name.endsWith(".d.ts") && !parentPath.includes("node_modules"))
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name));
}

import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseEnv } from "node:util";

/**
 * The values of secrets that this machine generated, in a file that only its owner can read. A value is stored before it
 * is uploaded, because Cloudflare never shows it again and a deployment may be interrupted in between.
 */
export class KeptSecrets {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** Returns every value by its name. */
  async all(): Promise<Record<string, string>> {
    const values = parseEnv(await readFile(this.file, "utf8").catch(() => ""));
    return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])));
  }

  /** Adds missing secrets, and returns once they are on disk. Replaces the file as a whole. */
  async add(values: Record<string, string>): Promise<void> {
    const kept = await this.all();
    const lines = Object.entries(values).filter(([name]) => kept[name] === undefined);
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    const text = await readFile(this.file, "utf8").catch(() => "");
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    const draft = `${this.file}.draft`;
    await rm(draft, { force: true });
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(start + lines.map(([name, value]) => `${name}='${value}'\n`).join(""));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, this.file);
  }

  /** Calls `use` with a file that contains only these secrets, in wrangler's format, then removes the file. */
  async lent<T>(names: string[], use: (file: string) => Promise<T>): Promise<T> {
    const kept = await this.all();
    const file = `${this.file}.upload.json`;
    const values = Object.fromEntries(names.map((name) => [name, kept[name]]));
    await rm(file, { force: true });
    await writeFile(file, JSON.stringify(values), { mode: 0o600 });
    try {
      return await use(file);
    } finally {
      await rm(file, { force: true });
    }
  }
}

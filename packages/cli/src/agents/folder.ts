/** The folder of agents: two files each, and a record of their content at the last synchronization. */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, Failure, usage } from "../kernel/failure.ts";
import { isObject, type JsonObject, textOf } from "../kernel/json.ts";
import { type AgentFiles, folderFor, fromFiles, type LocalAgent, PROMPT, SETTINGS } from "./files.ts";

/** Kept under version control with the agents, so that a colleague's push is compared with the same state. */
const BASE = "switchboard.json";

/** An agent's content when files and service were last synchronized. */
export interface Base {
  folder: string;
  etag: string;
  digest: string;
}

/** An agent's current files. */
export interface Kept {
  folder: string;
  agent: LocalAgent;
}

export interface FolderOptions {
  dir: string;
  force?: boolean;
  dryRun?: boolean;
  exitCode?: boolean;
}

export class AgentsFolder {
  readonly path: string;
  /** Keyed by the agent's id. */
  readonly bases: Map<string, Base>;
  /** Keyed by the folder's name. */
  readonly kept: Map<string, Kept>;

  private constructor(path: string, bases: Map<string, Base>, kept: Map<string, Kept>) {
    this.path = path;
    this.bases = bases;
    this.kept = kept;
  }

  /** Reads the whole folder. A missing folder counts as empty. @throws Failure naming the invalid file */
  static async open(path: string): Promise<AgentsFolder> {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw new Failure(EXIT.usage, "folder", `${path} cannot be read: ${error.code}`);
    });
    const kept = new Map<string, Kept>();
    const owners = new Map<string, string>();
    for (const { name } of entries.filter((entry) => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const settings = await textIn(join(path, name, SETTINGS));
      if (settings === null) continue;
      const agent = fromFiles({ settings, prompt: (await textIn(join(path, name, PROMPT))) ?? "" }, join(path, name));
      if (agent.id !== null) {
        const other = owners.get(agent.id);
        if (other)
          throw usage(
            `${other} and ${name} have the same id; remove the id from the one that should become a new agent`,
          );
        owners.set(agent.id, name);
      }
      kept.set(name, { folder: name, agent });
    }
    return new AgentsFolder(path, await basesOf(join(path, BASE)), kept);
  }

  ofId(id: string): Kept | undefined {
    return [...this.kept.values()].find(({ agent }) => agent.id === id);
  }

  /** Writes an agent's files and records them as synchronized. A new agent's folder is named after it. */
  async write(agent: LocalAgent, files: AgentFiles, step: Omit<Base, "folder">, folder?: string): Promise<string> {
    const name = folder ?? folderFor(textOf(agent.fields, "name"), new Set(this.kept.keys()));
    await mkdir(join(this.path, name), { recursive: true });
    await replace(join(this.path, name, PROMPT), files.prompt);
    await replace(join(this.path, name, SETTINGS), files.settings);
    this.kept.set(name, { folder: name, agent });
    if (agent.id !== null) await this.inStep(agent.id, name, step);
    return name;
  }

  /** Records that files and service are the same now. */
  async inStep(id: string, folder: string, { etag, digest }: Omit<Base, "folder">): Promise<void> {
    const before = this.bases.get(id);
    if (before && before.etag === etag && before.digest === digest && before.folder === folder) return;
    this.bases.set(id, { folder, etag, digest });
    const agents: JsonObject = {};
    for (const [key, base] of [...this.bases].sort(([a], [b]) => (a < b ? -1 : 1))) {
      agents[key] = { folder: base.folder, etag: base.etag, digest: base.digest };
    }
    await mkdir(this.path, { recursive: true });
    await replace(join(this.path, BASE), `${JSON.stringify({ agents }, null, 2)}\n`);
  }
}

/** Returns a file's text; null if the file does not exist. */
async function textIn(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new Failure(EXIT.failed, "file", `${path} cannot be read: ${error.code}`);
  });
}

/** Writes a file atomically, so that an interrupted pull leaves no partial file. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

async function basesOf(path: string): Promise<Map<string, Base>> {
  const text = await textIn(path);
  if (text === null) return new Map();
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw usage(`${path} is not JSON; after a merge, take either side and run: switchboard agents diff`);
  }
  const agents = isObject(read) && isObject(read.agents) ? Object.entries(read.agents) : [];
  return new Map(
    agents.flatMap(([id, base]): [string, Base][] => {
      if (!isObject(base)) return [];
      return [[id, { folder: textOf(base, "folder"), etag: textOf(base, "etag"), digest: textOf(base, "digest") }]];
    }),
  );
}

/** Returns the agents in the named folders, or all agents. @throws Failure for a folder without an agent */
export function chosenFolders(folder: AgentsFolder, wanted: readonly string[]) {
  if (wanted.length === 0) return [...folder.kept.values()];
  return wanted.map((name) => {
    const short = name.replace(/\/+$/, "").split("/").at(-1) ?? name;
    const kept = folder.kept.get(short);
    if (!kept) throw new Failure(EXIT.usage, "no_agent", `there is no agent in ${folder.path}/${short}`);
    return kept;
  });
}

import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DOCS } from "./blocks.ts";
import type { GuideRequest } from "./shell/curl.ts";

/** Returns the endpoints that documents mention in their text, such as `GET /api/v1/agents`. */
export async function endpointsNamed(): Promise<string[]> {
  const documents = (await readdir(DOCS, { recursive: true })).filter((file) => file.endsWith(".md"));
  const sources = await Promise.all(documents.map((file) => readFile(join(DOCS, file), "utf8")));
  return sources.flatMap((source) =>
    [...source.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^\s`?]+)/g)].map(([, name = ""]) => name),
  );
}

/** Opens a reader's terminal. Variables that are set by one block are available in the next. */
export async function openShell(variables: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "guide-"));
  for (const tool of ["curl", "jq"]) {
    const script = join(import.meta.dirname, `shell/${tool}.ts`);
    await writeFile(join(folder, tool), `#!/bin/sh\nexec "${process.execPath}" --no-warnings "${script}" "$@"\n`);
    await chmod(join(folder, tool), 0o755);
  }
  const command = join(import.meta.dirname, "../../../packages/cli/dist/index.js");
  await writeFile(join(folder, "switchboard"), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
  await chmod(join(folder, "switchboard"), 0o755);
  const files = { requests: join(folder, "requests"), state: join(folder, "state") };
  await writeFile(files.requests, "");
  const save = `"${process.execPath}" -e 'fs.writeFileSync(process.env.STATE, JSON.stringify(process.env))'`;
  let env: NodeJS.ProcessEnv = {
    ...variables,
    PATH: `${folder}:${process.env.PATH}`,
    REQUESTS: files.requests,
    STATE: files.state,
    XDG_CONFIG_HOME: join(folder, "config"),
  };
  const requests = async () =>
    (await readFile(files.requests, "utf8"))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as GuideRequest);
  return {
    folder,
    requests,
    /** Runs a block and returns its output. */
    async run(block: string): Promise<string> {
      const script = `set -ea\n${block}\n${save}\n`;
      const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: folder, env });
      env = JSON.parse(await readFile(files.state, "utf8")) as NodeJS.ProcessEnv;
      return stdout;
    },
    close: () => rm(folder, { recursive: true }),
  };
}

export type Shell = Awaited<ReturnType<typeof openShell>>;

/** Runs the command as it is installed: from the packed tarball, in an otherwise empty folder. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../../..");

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export type InstalledCommand = Awaited<ReturnType<typeof installCommand>>;

export async function installCommand(variables: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "switchboard-cli-"));
  const pack = ["pack", "--workspace", "packages/cli", "--pack-destination", folder, "--offline"];
  await promisify(execFile)("npm", pack, { cwd: ROOT });
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "";
  await promisify(execFile)("tar", ["-xzf", tarball], { cwd: folder });
  const script = join(folder, "package/dist/index.js");
  const base = { PATH: process.env.PATH ?? "", XDG_CONFIG_HOME: join(folder, "config") };
  const begin = (args: string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, [script, ...args], { cwd: folder, env: Object.assign({}, base, variables, env) });
  return {
    folder,
    script,
    /** Runs a command to its end with this standard input. */
    run(args: string[], { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {}) {
      const child = begin(args, env);
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (piece) => {
        stdout += piece;
      });
      child.stderr.on("data", (piece) => {
        stderr += piece;
      });
      child.stdin.end(input);
      return new Promise<Outcome>((done) => {
        child.once("close", (code) => done({ code: code ?? -1, stdout, stderr }));
      });
    },
    /** Starts a command that keeps running; returns its lines as they arrive. */
    start(args: string[]) {
      const child = begin(args);
      const lines: string[] = [];
      const notes: string[] = [];
      createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
      createInterface({ input: child.stderr }).on("line", (line) => notes.push(line));
      const ended = new Promise<number>((done) => child.once("close", (code) => done(code ?? -1)));
      return {
        lines,
        notes,
        interrupt: () => {
          child.kill("SIGINT");
          return ended;
        },
      };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

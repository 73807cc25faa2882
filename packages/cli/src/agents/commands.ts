/** `agents pull|push|diff|list|test|publish`. */
import type { Command } from "commander";
import { createTwoFilesPatch } from "diff";
import { type Act, examples } from "../kernel/act.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure } from "../kernel/failure.ts";
import { isObject, textOf } from "../kernel/json.ts";
import { table } from "../kernel/terminal.ts";
import { digest } from "./digest.ts";
import { completed, PROMPT, render, SETTINGS } from "./files.ts";
import { AgentsFolder, chosenFolders, type FolderOptions } from "./folder.ts";
import { push } from "./push.ts";
import { agentIds, readAgent } from "./service.ts";
import { publish, test } from "./test.ts";

export function addAgents(program: Command, act: Act): void {
  const agents = program.command("agents").description("agents as files: settings as JSON, the prompt as Markdown");
  agents.command("list").description("list the agents").action(act(list));
  const dir = ["-d, --dir <folder>", "the folder of the agents", "agents"] as const;
  agents
    .command("pull [agents...]")
    .description("write agents (all, or those named by id or name) into files")
    .option(...dir)
    .option("--force", "overwrite changes that were not pushed")
    .addHelpText("after", examples("switchboard agents pull", 'switchboard agents pull "Reception" --dir agents'))
    .action(act(pull));
  agents
    .command("push [folders...]")
    .description("change agents to what the files say, unless another person has changed them since the pull")
    .option(...dir)
    .option("--dry-run", "only say what would be changed")
    .option("--force", "write over what others have changed")
    .addHelpText("after", examples("switchboard agents push", "switchboard agents push reception --dry-run"))
    .action(act(push));
  agents
    .command("diff [folders...]")
    .description("show what a push would change")
    .option(...dir)
    .option("--exit-code", "end with 1 if there is a difference")
    .addHelpText("after", examples("switchboard agents diff", "switchboard agents diff reception --exit-code"))
    .action(act(diff));
  agents
    .command("test <agent>")
    .description("run an agent's tests, by its id or name; ends with 1 if one fails, with 5 if its model does")
    .option("--version <n>", "the number of the version to test, or draft for what is saved", "draft")
    .option("--repeat <n>", "how often each test is run at least; one that says more is run more often", "1")
    .option("--allow-tool <name...>", "tools that may really run where no mock answers")
    .addHelpText(
      "after",
      examples("switchboard agents test Reception", "switchboard agents test Reception --repeat 5 --json"),
    )
    .action(act(test));
  agents
    .command("publish <agent>")
    .description("publish what is saved of an agent, by its id or name; required tests must pass on it")
    .option("--version <n>", "the number of the version to publish, or draft for what is saved", "draft")
    .option("--note <text>", "what is to be said of it")
    .option("--force", "although required tests do not pass")
    .addHelpText(
      "after",
      examples(
        'switchboard agents publish Reception --note "Saturdays too"',
        "switchboard agents publish Reception --version 3",
      ),
    )
    .action(act(publish));
}

async function list(session: Session): Promise<void> {
  const { value } = await session.client().request("GET", "/api/v1/agents");
  session.terminal.document(value);
  const rows = (Array.isArray(value) ? value : []).filter(isObject);
  const cells = rows.map((agent) => ["id", "status", "name"].map((field) => textOf(agent, field)));
  for (const line of table([["id", "status", "name"], ...cells])) session.terminal.print(line);
}

async function pull(session: Session, wanted: string[], { dir, force = false }: FolderOptions): Promise<void> {
  const client = session.client();
  const folder = await AgentsFolder.open(dir);
  const pulled: { id: string; folder: string; state: string }[] = [];
  const refused: string[] = [];
  for (const id of await agentIds(client, wanted)) {
    const remote = await readAgent(client, id);
    const now = digest(remote.agent);
    const kept = folder.ofId(id);
    const local = kept && digest(completed(kept.agent, remote.agent));
    const changedHere = kept !== undefined && local !== now && digest(kept.agent) !== folder.bases.get(id)?.digest;
    if (changedHere && !force) {
      refused.push(kept.folder);
      continue;
    }
    const step = { etag: remote.etag, digest: now };
    if (kept && digest(kept.agent) === now) {
      await folder.inStep(id, kept.folder, step);
      pulled.push({ id, folder: kept.folder, state: "unchanged" });
      continue;
    }
    const written = await folder.write(remote.agent, render(remote.agent), step, kept?.folder);
    pulled.push({ id, folder: written, state: kept ? "updated" : "new" });
  }
  session.terminal.document({ agents: pulled, refused });
  for (const { folder: path, state } of pulled) session.terminal.print(`${state.padEnd(10)}${dir}/${path}`);
  if (refused.length === 0) return;
  const names = refused.map((name) => `${dir}/${name}`).join(", ");
  const message = `${names}: changed here and not pushed; push first, or overwrite with --force`;
  throw new Failure(EXIT.conflict, "changed_here", message);
}

async function diff(session: Session, wanted: string[], { dir, exitCode = false }: FolderOptions): Promise<void> {
  const client = session.client();
  const { terminal } = session;
  const folder = await AgentsFolder.open(dir);
  const found: { folder: string; id: string | null; diff: string }[] = [];
  for (const { folder: name, agent } of chosenFolders(folder, wanted)) {
    const remote = agent.id === null ? null : await readAgent(client, agent.id);
    const here = render(remote ? completed(agent, remote.agent) : agent);
    const there = remote ? render(remote.agent) : { settings: "", prompt: "" };
    const parts = [
      patch(`${name}/${SETTINGS}`, there.settings, here.settings),
      patch(`${name}/${PROMPT}`, there.prompt, here.prompt),
    ];
    const text = parts.filter((part) => part !== "").join("");
    if (text !== "") found.push({ folder: name, id: agent.id, diff: text });
  }
  terminal.document({ agents: found });
  for (const line of found.flatMap((one) => one.diff.trimEnd().split("\n"))) terminal.print(coloured(session, line));
  if (found.length > 0 && exitCode) throw new Failure(EXIT.failed, "different", "files and service differ");
}

/** Returns a push's change to a file as a unified diff; "" if nothing changes. */
function patch(file: string, there: string, here: string): string {
  if (there === here) return "";
  const text = createTwoFilesPatch(`service/${file}`, `files/${file}`, there, here, "", "", { context: 3 });
  return text.replace(/^=+\n/, "");
}

function coloured({ terminal }: Session, line: string): string {
  if (/^(---|\+\+\+)/.test(line)) return terminal.style("bold", line);
  if (line.startsWith("+")) return terminal.style("green", line);
  if (line.startsWith("-")) return terminal.style("red", line);
  return line.startsWith("@@") ? terminal.style("cyan", line) : line;
}

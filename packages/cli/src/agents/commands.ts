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
  const agents = program
    .command("agents")
    .description("manage agents as files: settings in JSON, the prompt in Markdown");
  agents.command("list").description("list the agents").action(act(list));
  const dir = ["-d, --dir <folder>", "the folder of the agents", "agents"] as const;
  agents
    .command("pull [agents...]")
    .description("save agents as files: all agents, or those with these ids or names")
    .option(...dir)
    .option("--force", "overwrite changes that were not pushed")
    .addHelpText("after", examples("switchboard agents pull", 'switchboard agents pull "Reception" --dir agents'))
    .action(act(pull));
  agents
    .command("push [folders...]")
    .description("update agents from the files, unless somebody else changed them since the pull")
    .option(...dir)
    .option("--dry-run", "show the changes without making them")
    .option("--force", "overwrite changes that others made")
    .addHelpText("after", examples("switchboard agents push", "switchboard agents push reception --dry-run"))
    .action(act(push));
  agents
    .command("diff [folders...]")
    .description("show what a push would change")
    .option(...dir)
    .option("--exit-code", "exit with 1 if there is a difference")
    .addHelpText("after", examples("switchboard agents diff", "switchboard agents diff reception --exit-code"))
    .action(act(diff));
  agents
    .command("test <agent>")
    .description(
      "run the tests of the agent with this id or name; exits with 1 if a test fails, with 5 if the model fails",
    )
    .option("--version <n>", "the version number to test, or draft for the current draft", "draft")
    .option("--repeat <n>", "minimum runs per test; a test with a higher number of its own is run more often", "1")
    .option("--allow-tool <name...>", "tools that may run for real if a test has no mock for them")
    .addHelpText(
      "after",
      examples("switchboard agents test Reception", "switchboard agents test Reception --repeat 5 --json"),
    )
    .action(act(test));
  agents
    .command("publish <agent>")
    .description("publish the draft of the agent with this id or name; its required tests must pass")
    .option("--version <n>", "the version number to publish, or draft for the current draft", "draft")
    .option("--note <text>", "a note about this version")
    .option("--force", "publish even if required tests have not passed")
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
  const message = `${names}: changed here but not pushed; push the change first, or overwrite it with --force`;
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
  for (const line of found.flatMap((one) => one.diff.trimEnd().split("\n"))) terminal.print(colored(session, line));
  if (found.length > 0 && exitCode) throw new Failure(EXIT.failed, "different", "the files differ from the service");
}

/** Returns a push's change to a file as a unified diff; "" if nothing changes. */
function patch(file: string, there: string, here: string): string {
  if (there === here) return "";
  const text = createTwoFilesPatch(`service/${file}`, `files/${file}`, there, here, "", "", { context: 3 });
  return text.replace(/^=+\n/, "");
}

function colored({ terminal }: Session, line: string): string {
  if (/^(---|\+\+\+)/.test(line)) return terminal.style("bold", line);
  if (line.startsWith("+")) return terminal.style("green", line);
  if (line.startsWith("-")) return terminal.style("red", line);
  return line.startsWith("@@") ? terminal.style("cyan", line) : line;
}

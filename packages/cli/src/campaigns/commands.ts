/** `campaigns run|watch|list|pause|resume|stop`. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import { idAmong } from "../agents/service.ts";
import { type Act, examples } from "../kernel/act.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure } from "../kernel/failure.ts";
import { isObject, type JsonObject, numberOf, objectsOf, textOf } from "../kernel/json.ts";
import { table } from "../kernel/terminal.ts";
import { watch } from "./watch.ts";

interface RunOptions {
  agent: string;
  from: string;
  name?: string;
  country?: string;
  skipInvalid?: boolean;
  strict?: boolean;
  watch?: boolean;
}

export function addCampaigns(program: Command, act: Act): void {
  const campaigns = program.command("campaigns").description("run and manage campaigns");
  campaigns
    .command("run <contacts.csv>")
    .description("create a campaign from a CSV file of contacts and start it")
    .requiredOption("--agent <agent>", "the agent that calls, by id or name")
    .requiredOption("--from <number>", "the number to call from, such as +12025550100")
    .option("--name <name>", "the campaign's name; by default the file's name")
    .option("--country <code>", "the country of numbers without a country code, such as US")
    .option("--skip-invalid", "skip invalid rows instead of rejecting the file")
    .option("--strict", "do not start if the plan has warnings")
    .option("--watch", "wait until the campaign ends, with a progress bar; the exit code tells how it ended")
    .addHelpText(
      "after",
      examples('switchboard campaigns run contacts.csv --agent "Spring offer" --from +12025550100 --watch'),
    )
    .action(act(run));
  campaigns
    .command("watch <id>")
    .description("follow a campaign until it ends or is paused")
    .addHelpText(
      "after",
      `${examples("switchboard campaigns watch 019aa5c4-d2f0-7b15-9c3e-6a81f04b7116")}\nExits with 0 if the campaign completes, and with 1 if it is stopped or paused.\n`,
    )
    .action(act(async (session: Session, id: string) => watch(session, id)));
  campaigns.command("list").description("list the campaigns").action(act(list));
  for (const verb of ["pause", "resume", "stop"] as const) {
    campaigns
      .command(`${verb} <id>`)
      .description(WHAT[verb])
      .action(act(async (session: Session, id: string) => printStatus(session, await change(session, id, verb))));
  }
}

const WHAT = {
  pause: "pause a campaign; calls in progress finish",
  resume: "resume a paused campaign",
  stop: "stop a campaign permanently; calls in progress finish",
};

async function run(session: Session, file: string, options: RunOptions): Promise<void> {
  const client = session.client();
  const { value: agents } = await client.request("GET", "/api/v1/agents");
  const agentId = idAmong(Array.isArray(agents) ? agents.filter(isObject) : [], options.agent);
  const contacts = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(EXIT.usage, "file", `${file} cannot be read: ${error.code}`);
  });
  const form = new FormData();
  form.set("name", options.name ?? basename(file).replace(/\.\w+$/, ""));
  form.set("agent_id", agentId);
  form.set("from_number", options.from);
  if (options.country) form.set("default_country", options.country);
  if (options.skipInvalid) form.set("on_invalid", "skip");
  form.set("contacts", new Blob([contacts], { type: "text/csv" }), basename(file));
  const { value } = await client.request("POST", "/api/v1/campaigns", { body: form });
  const created = isObject(value) ? value : {};
  const id = textOf(created, "id");
  session.terminal.note(created.import ? importedWords(created) : `Created the campaign ${id}.`);
  const started = await change(session, id, "start", options.strict === true).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    const message = `${error.message}; the campaign ${id} was created but not started`;
    throw new Failure(error.exit, error.code, message, error.requestId);
  });
  if (options.watch) return watch(session, id);
  printStatus(session, started);
}

function importedWords(campaign: JsonObject): string {
  const { id, import: read } = campaign;
  const counts = isObject(read) ? read : {};
  const [accepted, rejected, duplicates] = ["accepted", "rejected", "duplicates"].map((name) => numberOf(counts, name));
  const left = rejected || duplicates ? ` (left out: ${rejected} invalid, ${duplicates} duplicates)` : "";
  return `Created the campaign ${id} of ${accepted} contacts${left}.`;
}

async function change(session: Session, id: string, verb: string, strict = false): Promise<JsonObject> {
  const path = `/api/v1/campaigns/${encodeURIComponent(id)}/${verb}`;
  const { value } = await session.client().request("POST", path, { query: strict ? { strict: "true" } : {} });
  return isObject(value) ? value : {};
}

function printStatus({ terminal }: Session, campaign: JsonObject): void {
  terminal.document(campaign);
  terminal.print(`${textOf(campaign, "id")} is ${textOf(campaign, "status")}.`);
}

async function list({ client, terminal }: Session): Promise<void> {
  const answer = await client().get("/api/v1/campaigns");
  terminal.document(answer);
  const rows = objectsOf(answer, "campaigns").map((one) => [
    ...["id", "status"].map((field) => textOf(one, field)),
    String(numberOf(one, "total_contacts")),
    textOf(one, "name"),
  ]);
  for (const line of table([["id", "status", "contacts", "name"], ...rows])) terminal.print(line);
}

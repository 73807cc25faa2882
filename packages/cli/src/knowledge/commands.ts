/** `knowledge add|list|search|unanswered`. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import { idAmong } from "../agents/service.ts";
import { type Act, examples } from "../kernel/act.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure } from "../kernel/failure.ts";
import { isObject, type JsonObject, numberOf, objectsOf, textOf } from "../kernel/json.ts";
import { table } from "../kernel/terminal.ts";

export function addKnowledge(program: Command, act: Act): void {
  const knowledge = program.command("knowledge").description("manage documents that agents answer from");
  knowledge
    .command("add <file>")
    .description("upload a document (Markdown, text, HTML, CSV, PDF or Word), or let the service read an https address")
    .option("--pages <pages>", "for an address: the most pages of its site to read, up to 50", "1")
    .option("--refresh-hours <hours>", "for an address: the hours between refreshes, 24 or more")
    .option("--title <title>", "the document's title; by default the file's name")
    .option("--agent <agent>", "attach it to this agent, by id or name")
    .addHelpText("after", examples('switchboard knowledge add prices.md --title "Price list" --agent Reception'))
    .action(act(add));
  knowledge.command("list").description("list the documents with their status").action(act(list));
  knowledge
    .command("search <query>")
    .description("search all documents, or those that an agent searches")
    .option("--agent <agent>", "the agent, by id or name")
    .addHelpText("after", examples('switchboard knowledge search "open on Saturdays" --agent Reception'))
    .action(act(search));
  knowledge
    .command("unanswered")
    .description("list questions for which agents found no answer")
    .option("--agent <agent>", "only questions to this agent, by id or name")
    .addHelpText("after", examples("switchboard knowledge unanswered --agent Reception"))
    .action(act(unanswered));
}

async function agentNamed({ client }: Session, named: string): Promise<string> {
  const { value } = await client().request("GET", "/api/v1/agents");
  return idAmong(Array.isArray(value) ? value.filter(isObject) : [], named);
}

interface Adding {
  title?: string;
  agent?: string;
  pages: string;
  refreshHours?: string;
}

async function bodyOf(file: string, { title, pages, refreshHours }: Adding): Promise<FormData | JsonObject> {
  if (/^https?:\/\//i.test(file)) {
    const refresh_hours = refreshHours === undefined ? null : Number(refreshHours);
    const address = { url: file, pages: Number(pages), refresh_hours };
    return title === undefined ? address : Object.assign(address, { title });
  }
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(EXIT.usage, "file", `${file} cannot be read: ${error.code}`);
  });
  const form = new FormData();
  if (title !== undefined) form.set("title", title);
  form.set("file", new Blob([content]), basename(file));
  return form;
}

async function add(session: Session, file: string, options: Adding): Promise<void> {
  const body = await bodyOf(file, options);
  const agent = options.agent === undefined ? undefined : await agentNamed(session, options.agent);
  const { value } = await session.client().request("POST", "/api/v1/knowledge", { body });
  const document = isObject(value) ? value : {};
  const id = textOf(document, "id");
  if (agent !== undefined) {
    const path = `/api/v1/agents/${encodeURIComponent(agent)}/knowledge`;
    await session.client().request("POST", path, { body: { document_id: id } });
  }
  session.terminal.document(document);
  session.terminal.print(`${textOf(document, "title")} (${id}) is ${textOf(document, "status")}.`);
}

async function list({ client, terminal }: Session): Promise<void> {
  const answer = await client().get("/api/v1/knowledge", { limit: "100" });
  terminal.document(answer);
  const rows = objectsOf(answer, "documents").map((one) => {
    const reason = textOf(one, "reason");
    const status = textOf(one, "status");
    return [
      textOf(one, "id"),
      reason ? `${status}: ${reason}` : status,
      String(numberOf(one, "chunks")),
      textOf(one, "title"),
    ];
  });
  for (const line of table([["id", "status", "passages", "title"], ...rows])) terminal.print(line);
}

async function search(session: Session, query: string, options: { agent?: string }): Promise<void> {
  const body = options.agent === undefined ? { query } : { query, agent_id: await agentNamed(session, options.agent) };
  const { value } = await session.client().request("POST", "/api/v1/knowledge/search", { body });
  const answer = isObject(value) ? value : {};
  session.terminal.document(answer);
  const results = objectsOf(answer, "results");
  if (results.length === 0) session.terminal.print("Nothing was found.");
  for (const result of results) {
    const heading = textOf(result, "heading");
    session.terminal.print(`${textOf(result, "title")}${heading ? ` › ${heading}` : ""}`);
    session.terminal.print(`  ${textOf(result, "text").replaceAll(/\s+/g, " ").slice(0, 300)}`);
  }
}

async function unanswered(session: Session, options: { agent?: string }): Promise<void> {
  const of = options.agent === undefined ? {} : { agent_id: await agentNamed(session, options.agent) };
  const answer = await session.client().get("/api/v1/knowledge/unanswered", Object.assign({ limit: "100" }, of));
  session.terminal.document(answer);
  const questions = objectsOf(answer, "questions");
  if (questions.length === 0) session.terminal.print("No unanswered questions.");
  for (const one of questions) {
    const times = numberOf(one, "times");
    session.terminal.print(textOf(one, "question") || textOf(one, "query"));
    session.terminal.print(`  searched: ${textOf(one, "query")}${times > 1 ? `, ${times} times` : ""}`);
  }
}

/** `agents test` and `agents publish`. */
import type { Client } from "../api/client.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure, usage } from "../kernel/failure.ts";
import { isObject, type Json, type JsonObject, numberOf, objectsOf, textOf } from "../kernel/json.ts";
import { plain } from "../kernel/terminal.ts";
import { idAmong } from "./service.ts";

export interface TestOptions {
  /** A number, or `draft`. */
  version?: string;
  repeat?: string;
  allowTool?: string[];
}

export interface PublishOptions {
  version?: string;
  note?: string;
  force?: boolean;
}

/** Runs an agent's tests and prints the results. @throws Failure if a test or its model fails */
export async function test(session: Session, agent: string, options: TestOptions): Promise<void> {
  const { terminal } = session;
  const client = session.client();
  const id = await idOf(client, agent);
  const order: JsonObject = { version: versionOf(options.version), repeat: wholeOf(options.repeat ?? "1", "repeat") };
  if (options.allowTool) order.allow_tools = options.allowTool;
  const path = `/api/v1/agents/${encodeURIComponent(id)}/test-runs`;
  const { value: begun } = await client.request("POST", path, { body: order });
  const run = isObject(begun) ? textOf(begun, "id") : "";
  session.world.onInterrupt(() => {
    terminal.note(`\nThe run continues: GET /api/v1/test-runs/${run}`);
    process.exit(EXIT.interrupted);
  });
  const ended = await follow(session, client, run);
  const [passed, all] = [numberOf(ended, "passed"), numberOf(ended, "conversations")];
  const version = numberOf(ended, "version");
  if (textOf(ended, "status") !== "completed")
    throw new Failure(EXIT.failed, textOf(ended, "reason"), `the run stopped early: ${textOf(ended, "reason")}`);
  const tests = objectsOf(ended, "tests");
  for (const test of tests) for (const line of linesOfTest(test, objectsOf(ended, "results"))) terminal.print(line);
  terminal.print(`${passed} of ${all} passed on version ${version}.`);
  const count = (state: string) => tests.filter((test) => textOf(test, "state") === state).length;
  const [failed, unanswered] = [count("failed"), count("model_failed")];
  if (failed > 0) throw new Failure(EXIT.failed, "tests_failed", `${failed} of ${tests.length} did not pass`);
  if (unanswered > 0)
    throw new Failure(
      EXIT.unavailable,
      "model_failed",
      `${unanswered} of ${tests.length} could not be judged, because their model failed; run them again`,
    );
}

/** Returns the lines for a test whose repetitions differed: how many passed, and the verdict. */
function linesOfTest(test: JsonObject, results: JsonObject[]): string[] {
  const own = results.filter((result) => textOf(result, "test_id") === textOf(test, "test_id"));
  const state = textOf(test, "state");
  if (own.every((result) => textOf(result, "state") === state)) return [];
  const counts = isObject(test.counts) ? test.counts : {};
  const name = plain(textOf(own[0] ?? {}, "name"));
  return [`${STATES[state] ?? state}: ${name}, with ${numberOf(counts, "passed")} of ${own.length}`];
}

/** The verdicts on a test in words. */
const STATES: Record<string, string> = {
  passed: "passes",
  failed: "fails",
  model_failed: "not judged, because the model failed",
};

/** Prints each result as it arrives and returns the finished run. */
async function follow(session: Session, client: Client, run: string): Promise<JsonObject> {
  const { terminal } = session;
  const shown = new Set<string>();
  const show = (result: JsonObject) => {
    const key = `${textOf(result, "test_id")} ${numberOf(result, "repeat")}`;
    if (shown.has(key)) return;
    shown.add(key);
    terminal.line(result);
    for (const line of linesOf(session, result)) terminal.print(line);
  };
  const options = { onLost: () => terminal.note("The connection was lost; the run continues. Reconnecting …") };
  for await (const { name, data } of client.events(
    `/api/v1/test-runs/${encodeURIComponent(run)}/events`,
    {},
    options,
  )) {
    const value = JSON.parse(data) as Json;
    if (!isObject(value)) continue;
    if (name === "snapshot") for (const result of objectsOf(value, "results")) show(result);
    if (name === "test.finished") show(value);
    const isOver = name === "run.ended" || (name === "snapshot" && textOf(value, "status") !== "running");
    if (isOver) break;
  }
  const ended = await client.get(`/api/v1/test-runs/${encodeURIComponent(run)}`);
  for (const result of objectsOf(ended, "results")) show(result);
  return ended;
}

/** Returns the lines of a result: passed, the unmet expectations, or why it says nothing about the agent. */
function linesOf({ terminal }: Session, result: JsonObject): string[] {
  const name = plain(textOf(result, "name"));
  const repeat = numberOf(result, "repeat");
  const title = repeat > 1 ? `${name} (${repeat})` : name;
  const state = textOf(result, "state");
  if (state === "passed") return [`${terminal.style("green", "pass")}  ${title}`];
  const error = textOf(result, "error");
  const transcript = objectsOf(result, "transcript");
  const failures = objectsOf(result, "failures").map((failure) => {
    const turn = typeof failure.turn === "number" ? transcript[failure.turn] : undefined;
    const where = turn ? `: ${textOf(turn, "role")}: ${plain(textOf(turn, "text")).slice(0, 200)}` : "";
    return `      expected ${JSON.stringify(failure.expectation)}${where}`;
  });
  const mark = state === "failed" ? terminal.style("red", "FAIL") : terminal.style("yellow", "ERR ");
  return [`${mark}  ${title}`, ...(error === "" ? [] : [`      ${error}`]), ...failures];
}

/** Publishes an agent's draft or one of its versions. */
export async function publish(
  session: Session,
  agent: string,
  { version: given, note, force = false }: PublishOptions,
): Promise<void> {
  const { terminal } = session;
  const version = versionOf(given);
  const client = session.client();
  const id = await idOf(client, agent);
  const body: JsonObject = { force };
  if (version !== null) body.version = version;
  if (note !== undefined) body.note = note;
  const { value } = await client.request("POST", `/api/v1/agents/${encodeURIComponent(id)}/publish`, { body });
  terminal.document(value);
  if (isObject(value)) terminal.print(`Version ${numberOf(value, "number")} is published.`);
}

async function idOf(client: Client, agent: string): Promise<string> {
  const { value } = await client.request("GET", "/api/v1/agents");
  return idAmong(Array.isArray(value) ? value.filter(isObject) : [], agent);
}

function versionOf(given: string | undefined): number | null {
  return given === undefined || given === "draft" ? null : wholeOf(given, "version");
}

function wholeOf(text: string, option: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw usage(`--${option} must be a whole number`);
  return Number(text);
}

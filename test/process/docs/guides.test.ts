import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../../src/kernel/scopes.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { blocksOf } from "./blocks.ts";
import { endpointsNamed, openShell, type Shell } from "./guide.ts";
import type { GuideRequest } from "./shell/curl.ts";
import { startTwilio } from "./twilio.ts";

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
  required?: string[];
}
interface Operation {
  parameters?: { name?: string; in?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let worker: RunningWorker;
let carrier: Awaited<ReturnType<typeof startTwilio>>;
let document: Document;
let shell: Shell;
let bearer: Record<string, string>;

beforeAll(async () => {
  carrier = await startTwilio();
  worker = await startWorker({ TWILIO_API_URL: carrier.origin, SANDBOX_RING_MS: "5", SANDBOX_TALK_MS: "5" });
  document = (await (await fetch(`${worker.origin}/openapi.json`)).json()) as Document;
  const API_KEY = await newKey();
  bearer = { authorization: `Bearer ${API_KEY}` };
  shell = await openShell({
    SWITCHBOARD: worker.origin,
    API_KEY,
    TWILIO_ACCOUNT_SID: "AC0123",
    TWILIO_AUTH_TOKEN: "secret",
    MY_NUMBER: "+12025550190",
    MY_PHONE: "+12025550191",
  });
});
afterAll(() => Promise.all([worker.stop(), carrier.close(), shell.close()]));

describe("the guides, run command by command,", () => {
  it("create an agent that answers as shown", async () => {
    const printed = await follow("guides/first-agent.md");
    const shown = (await blocksOf("guides/first-agent.md")).find(({ language }) => language === "text");
    const transcript = printed.find((text) => text.includes("Caller:")) ?? "";
    const lines = shown?.text.trim().split("\n") ?? [];
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(transcript).toContain(line);
  });

  it("create an agent that answers in German", async () => {
    const printed = await follow("guides/german.md");
    const shown = (await blocksOf("guides/german.md")).find(({ language }) => language === "text");
    const transcript = printed.find((text) => text.includes("Caller:")) ?? "";
    for (const line of shown?.text.trim().split("\n") ?? [""]) expect(transcript).toContain(line);
    expect(transcript).toMatch(/Hafenrad, guten Tag\. Heute ist \S+tag|Mittwoch/);
  });

  it("call a list with the described outcomes", async () => {
    const printed = await follow("guides/campaign.md");
    const outcomes = await readFile(join(shell.folder, "outcomes.csv"), "utf8");
    const row = (name: string) => outcomes.split("\n").find((line) => line.includes(name));
    expect(row("Alan")).toMatch(/,failed,busy,\w*,2,/);
    expect(row("Claude")).toMatch(/,failed,do_not_call,\w*,0,/);
    expect(row("Hedy")).toMatch(/,completed,answered,.*,opted_out,/);
    expect(row("Tim")).toMatch(/^\+12025550130,completed,answered,/);
    expect(row("Dorothy")).toMatch(/^\+12025550136,completed,answered,/);
    expect(row("Katherine")).toMatch(/^\+12025550137,.*,Langley Field\r?$/);
    expect(row("Mary")).toMatch(/^\+12025550139,completed,answered,.*,Mary,Langley\r?$/);
    expect(printed).toContainEqual(expect.stringMatching(/"accepted":1,"rejected":1,"duplicates":1/));
    const [blocked, redialled, counted, cloned] = printed.slice(-4);
    expect(blocked).toContain("+12025550218");
    expect(redialled).toContain('"contacts":1');
    expect(counted).toContain('"not_called":');
    expect(cloned).toMatch(/"name":"Spring check, second round","status":"draft".*"total_contacts":/);
  });

  it("put the agent on a web page", async () => {
    const printed = await follow("guides/widget.md");
    expect(printed.some((text) => text.startsWith("pk_live_"))).toBe(true);
  });

  it("repeat requests that take effect once", async () => {
    const printed = await follow("guides/retrying.md");
    const [first = "{}", again, calls] = printed;
    expect(again?.trim()).toBe(JSON.parse(first).id);
    const ids = (calls ?? "").split("\n").flatMap((line) => /"call_id":"([^"]+)"/.exec(line)?.[1] ?? []);
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });

  it("achieve the same from the command line", async () => {
    await buildCommand();
    const printed = (await follow("guides/cli.md")).join("");
    expect(printed).toContain("reader at ");
    expect(printed).toMatch(/created {3}agents\/ada\n[\s\S]*changed {3}agents\/ada\n/);
    expect(printed).toContain("+Be kind.");
    expect(printed).toContain("The campaign is completed: 2 contacts, 2 completed.");
    expect(printed).toMatch(/Agent: Hello, this is Acme\./);
    expect(printed).toMatch(/call\.ended {2,}\S+\n/);
    expect(printed).toContain("/docs/guides/retrying");
  });

  it("call through a carrier's stand-in", async () => {
    const printed = await follow("guides/first-call.md");
    expect(printed.some((text) => text.includes('"ok":true,"detail":"twilio accepts the credentials"'))).toBe(true);
    expect(carrier.requests).toEqual(expect.arrayContaining(["GET /AC0123.json", "POST /AC0123/Calls.json"]));
    const checked = printed.filter((text) => text.includes("inbound_address"));
    expect(checked.map((text) => text.match(/"ok":(true|false)/g)?.join())).toEqual([
      '"ok":true,"ok":true,"ok":false,"ok":true',
      '"ok":true,"ok":true,"ok":true,"ok":true',
    ]);
  });
});

describe("the documents", () => {
  it("name only endpoints that exist", async () => {
    const named = (await endpointsNamed()).map((name) => name.split(" ") as [string, string]);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(([method, path]) => !operationAt(method, path))).toEqual([]);
  });
});

/** Follows the guide. Returns the output of each command. */
async function follow(guide: string): Promise<string[]> {
  const before = (await shell.requests()).length;
  const printed: string[] = [];
  for (const { language, text } of await blocksOf(guide)) {
    // Blocks with the reader's own values are not run, but their requests are checked.
    if (language === "console" && text.includes("curl ")) await shell.run(`(DRY=1\n${text})`);
    if (language !== "sh") continue;
    printed.push(await shell.run(text));
    if (/sandbox\/calls|originate/.test(text)) await sandboxCallsEnded();
  }
  const sent = (await shell.requests()).slice(before);
  for (const request of sent) {
    const name = `${guide}: ${request.method} ${request.path}`;
    if (request.status !== null) expect(request.status, `${name} ${request.answer}`).toBeLessThan(300);
    expect(missing(request), name).toEqual([]);
  }
  return printed;
}

/** Returns the fields of a request that the service's description lacks, and required fields that the request lacks. */
function missing({ method, path, query, fields, headers }: GuideRequest): string[] {
  const operation = operationAt(method, path);
  if (!operation) return ["the operation"];
  const parameters =
    operation.parameters?.flatMap(({ name = "", in: place }) => (place === "query" ? [name] : [])) ?? [];
  const unknown = query.filter((name) => !parameters.includes(name));
  if (fields === null) return unknown;
  const type = headers["Content-Type"] ?? "multipart/form-data";
  const schema = resolve(operation.requestBody?.content[type]?.schema);
  const properties = Object.keys(schema?.properties ?? {});
  return [
    ...unknown,
    ...fields.filter((name) => !properties.includes(name)),
    ...(schema?.required ?? []).filter((name) => !fields.includes(name)),
  ];
}

function operationAt(method: string, path: string): Operation | undefined {
  const name = method.toLowerCase();
  return Object.entries(document.paths).find(
    ([template, methods]) => pattern(template).test(path) && methods[name],
  )?.[1][name];
}

const pattern = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`);
const resolve = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;

/** Waits as a reader does before the next step. */
function sandboxCallsEnded() {
  return expect
    .poll(async () => {
      const answer = await fetch(`${worker.origin}/api/v1/calls?limit=100`, { headers: bearer });
      const { calls } = (await answer.json()) as { calls: { provider: string; ended_at: string | null }[] };
      return calls.filter(({ provider, ended_at }) => provider === "sandbox" && ended_at === null);
    })
    .toEqual([]);
}

/** Builds the packages that the reader would install. */
const buildCommand = () =>
  promisify(execFile)("npm", ["run", "--silent", "build", "--workspace", "packages/cli"], {
    cwd: join(import.meta.dirname, "../../.."),
  });

/** Creates a key like the one that `npm start` prints. */
async function newKey(): Promise<string> {
  const post = async (account: string, path: string, body: object) => {
    const headers = { ...(await worker.signIn(account)), "content-type": "application/json" };
    return (await fetch(worker.origin + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  await post("service-admin", "/api/admin/v1/accounts", { name: "reader", plan: "scale" });
  return ((await post("reader", "/api/v1/api-keys", { name: "guide", scopes: SCOPES })) as { key: string }).key;
}

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StandInAnswer, type StandInModel, startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { SCOPES } from "../../../src/kernel/scopes.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { type InstalledCommand, installCommand } from "./command.ts";

const FROM = "+12025550144";
const MP3 = new Uint8Array([0xff, 0xfb, 0x90, 0x64]);
const CSV = "phone_number,name\n+12025550130,Tim\n+12025550136,Dorothy\n";

let worker: RunningWorker;
let cli: InstalledCommand;
/** The model server for agents with a model of Anthropic's. */
let model: StandInModel;
/** Simulates Deepgram. */
const deepgram = createServer(({ url = "" }, response) => {
  const isList = url.endsWith("/v1/models");
  const tts = [{ name: "viktoria", canonical_name: "aura-2-viktoria-de", languages: ["de"], metadata: {} }];
  response.writeHead(200, { "content-type": isList ? "application/json" : "audio/mpeg" });
  response.end(isList ? JSON.stringify({ stt: [], tts }) : MP3);
});
let key: string;
let agentId: string;
/** Everything that a command printed in these tests. */
let printed = "";

beforeAll(async () => {
  model = await startStandInModel();
  await new Promise<void>((resolve) => void deepgram.listen(0, "127.0.0.1", resolve));
  worker = await startWorker({
    DEEPGRAM_API_URL: `http://127.0.0.1:${(deepgram.address() as AddressInfo).port}`,
    SANDBOX_RING_MS: "5",
    SANDBOX_TALK_MS: "5",
    ANTHROPIC_API_URL: model.anthropic_url,
    ANTHROPIC_API_KEY: "sk-stand-in",
  });
  const operator = await worker.signIn("service-admin");
  await send("POST", "/api/admin/v1/accounts", operator, { name: "clitest", plan: "scale" });
  const owner = await worker.signIn("clitest");
  key = (await send("POST", "/api/v1/api-keys", owner, { name: "terminal", scopes: SCOPES })).key as string;
  agentId = (
    await api("POST", "/agents", { name: "Reception", status: "active", system_prompt: "Be kind.\nBe brief." })
  ).id as string;
  await api("POST", "/telephony/numbers", { e164: FROM, provider: "sandbox" });
  cli = await installCommand({ SWITCHBOARD_URL: worker.origin, NO_COLOR: "1" });
  const signedIn = await run(["login"], { input: `${key}\n` });
  expect(signedIn).toMatchObject({ code: 0, stdout: expect.stringContaining("Signed in to clitest") });
  await writeFile(join(cli.folder, "contacts.csv"), CSV);
});
afterAll(() => Promise.all([worker.stop(), cli.remove(), model.close(), deepgram.close()]));

async function send(method: string, path: string, headers: Record<string, string>, body?: object) {
  const init = { method, headers: Object.assign({ "content-type": "application/json" }, headers) };
  const answer = await fetch(worker.origin + path, body ? Object.assign(init, { body: JSON.stringify(body) }) : init);
  const text = await answer.text();
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}
const api = (method: string, path: string, body?: object, apiKey = key) =>
  send(method, `/api/v1${path}`, { authorization: `Bearer ${apiKey}` }, body);

async function run(args: string[], options: Parameters<InstalledCommand["run"]>[1] = {}) {
  const outcome = await cli.run(args, options);
  printed += outcome.stdout + outcome.stderr;
  return outcome;
}
/** Runs a command and parses the one document that it prints. */
async function document(args: string[]) {
  const { code, stdout, stderr } = await run([...args, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}
const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;

describe("the CLI's package", () => {
  it("contains one script and runs without dependencies", async () => {
    const files = await readdir(join(cli.folder, "package"), { recursive: true });
    expect(files.sort()).toEqual(["README.md", "dist", "dist/index.js", "package.json"]);
    expect(await run(["--version"])).toMatchObject({ code: 0, stdout: "0.3.0\n" });
    expect((await stat(cli.script)).size).toBeLessThan(250_000);
  });

  it("shows examples and exit codes in its help", async () => {
    const { stdout } = await run(["--help"]);
    expect(stdout).toMatch(/Exit codes:\n {2}0 done/);
    expect(stdout).toContain("Examples:\n  $ switchboard login");
    for (const path of [["listen"], ["agents", "push"], ["campaigns", "run"], ["completion"]])
      for (const args of [
        [...path, "--help"],
        ["help", ...path],
      ])
        expect((await run(args)).stdout, args.join(" ")).toContain("Examples:\n  $ ");
  });
});

describe("agents as files", () => {
  const at = (file: string) => join(cli.folder, "agents", file);

  it("agents as files are pulled and pushed without a change", async () => {
    expect((await run(["agents", "pull"])).stdout).toBe("new       agents/reception\n");
    expect(await readFile(at("reception/prompt.md"), "utf8")).toBe("Be kind.\nBe brief.\n");
    const before = await readFile(at("switchboard.json"), "utf8");
    const { updated_at } = await api("GET", `/agents/${agentId}`);
    expect((await document(["agents", "push"])).agents).toEqual([
      { folder: "reception", id: agentId, state: "unchanged" },
    ]);
    expect((await run(["agents", "pull"])).stdout).toBe("unchanged agents/reception\n");
    expect(await readFile(at("switchboard.json"), "utf8")).toBe(before);
    expect((await api("GET", `/agents/${agentId}`)).updated_at).toBe(updated_at);
    expect(await run(["agents", "diff", "--exit-code"])).toMatchObject({ code: 0, stdout: "" });
  });

  it("show and apply a change of the prompt, settings and attachments", async () => {
    const { id: faq } = await api("POST", "/faqs", { name: "opening", title: "Opening", content: "9 to 5." });
    expect(faq).toBeTypeOf("string");
    await writeFile(at("reception/prompt.md"), "Be kind.\nBe quick.\n");
    const settings = JSON.parse(await readFile(at("reception/agent.json"), "utf8"));
    settings.greeting_message = "Hello!";
    settings.faqs = ["opening"];
    await writeFile(at("reception/agent.json"), JSON.stringify(settings));
    const shown = await run(["agents", "diff", "--exit-code"]);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain("-Be brief.\n+Be quick.\n");
    expect((await document(["agents", "push", "--dry-run"])).agents[0].state).toBe("changed");
    expect(await api("GET", `/agents/${agentId}`)).toMatchObject({ greeting_message: "", faqs: [] });
    expect((await document(["agents", "push"])).agents[0].state).toBe("changed");
    expect(await api("GET", `/agents/${agentId}`)).toMatchObject({
      greeting_message: "Hello!",
      system_prompt: "Be kind.\nBe quick.",
      faqs: [{ name: "opening" }],
    });
    expect((await run(["agents", "push"])).stdout).toBe("unchanged agents/reception\n");
  });

  it("do not overwrite another member's changes, and name their author and time", async () => {
    await api("PATCH", `/agents/${agentId}`, { description: "by another" });
    await writeFile(at("reception/prompt.md"), "Be kind.\nBe slow.\n");
    const refused = await run(["agents", "push", "--json"]);
    expect(refused.code).toBe(4);
    expect(errorOf(refused)).toMatchObject({ code: "changed_meanwhile", request_id: expect.any(String) });
    expect(errorOf(refused).message).toMatch(/was changed by the API key terminal at 20\d\d-/);
    expect(await api("GET", `/agents/${agentId}`)).toMatchObject({
      system_prompt: "Be kind.\nBe quick.",
      description: "by another",
    });
    expect(await run(["agents", "pull"])).toMatchObject({ code: 4, stderr: expect.stringContaining("not pushed") });
    expect(await readFile(at("reception/prompt.md"), "utf8")).toBe("Be kind.\nBe slow.\n");
    expect((await run(["agents", "push", "--force"])).code).toBe(0);
    expect(await api("GET", `/agents/${agentId}`)).toMatchObject({ system_prompt: "Be kind.\nBe slow." });
  });

  it("do not overwrite another member's attachments", async () => {
    await run(["agents", "pull"]);
    await send("DELETE", `/api/v1/agents/${agentId}/faqs/opening`, { authorization: `Bearer ${key}` });
    await writeFile(at("reception/prompt.md"), "Be kind.\n");
    const refused = await run(["agents", "push"]);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("attached") });
    expect((await run(["agents", "pull", "--force"])).code).toBe(0);
    expect(await readFile(at("reception/prompt.md"), "utf8")).toBe("Be kind.\nBe slow.\n");
  });

  it("an agent's files match after a version was published", async () => {
    expect(await run(["agents", "diff", "--exit-code"])).toMatchObject({ code: 0 });
    expect((await run(["agents", "publish", "Reception"])).code).toBe(0);
    expect(await run(["agents", "diff", "--exit-code"])).toMatchObject({ code: 0, stdout: "" });
    await writeFile(at("reception/prompt.md"), "Be kind.\n");
    expect((await run(["agents", "push"])).stdout).toBe("changed   agents/reception\n");
  });

  it("an agent's files are not pushed with a setting that no agent has", async () => {
    const before = await readFile(at("reception/agent.json"), "utf8");
    const settings = JSON.parse(before);
    await writeFile(at("reception/agent.json"), JSON.stringify({ ...settings, greeting_mesage: "Good day!" }));
    const refused = await run(["agents", "push"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("“greeting_mesage”") });
    await writeFile(at("reception/agent.json"), before);
    expect((await run(["agents", "push"])).stdout).toBe("unchanged agents/reception\n");
  });
});

describe("tests of agents", () => {
  let id: unknown;
  const addTest = (name: string, expected: object) =>
    api("POST", `/agents/${id}/tests`, { name, steps: [{ says: "Goodbye" }], expect: [expected], required: true });

  it("tests of agents run one by one and decide the command's exit code", async () => {
    id = (await api("POST", "/agents", { name: "Rehearsed" })).id;
    await addTest("ends the call", { ended: true });
    const passing = await run(["agents", "test", "Rehearsed", "--repeat", "2"]);
    expect(passing).toMatchObject({ code: 0, stderr: "" });
    expect(passing.stdout).toMatch(
      /^pass {2}ends the call\npass {2}ends the call \(2\)\n2 of 2 passed on version \d+\.\n$/,
    );
    await api("PATCH", `/agents/${id}`, { versioning: "manual" });
    expect((await run(["agents", "publish", "Rehearsed", "--note", "First"])).stdout).toMatch(
      /^Version \d+ is published\.\n$/,
    );

    await addTest("puts the caller through", { transferred: true });
    const failing = await run(["agents", "test", String(id)]);
    expect(failing.code).toBe(1);
    expect(failing.stdout).toContain('FAIL  puts the caller through\n      expected {"transferred":true}\n');
    expect(failing.stdout).toContain("1 of 2 passed");
    const lines = await run(["agents", "test", "Rehearsed", "--json"]);
    expect(errorOf(lines)).toMatchObject({ code: "tests_failed", message: "1 of 2 did not pass" });
    expect([
      lines.code,
      linesOf(lines.stdout)
        .map(({ state }) => state)
        .sort(),
    ]).toEqual([1, ["failed", "passed"]]);
    await api("PATCH", `/agents/${id}`, { greeting_message: "Good day!" });
    await run(["agents", "test", "Rehearsed"]);
    const refused = await run(["agents", "publish", "Rehearsed", "--json"]);
    expect([refused.code, errorOf(refused).code]).toEqual([4, "tests_failed"]);
    expect((await run(["agents", "publish", "Rehearsed", "--force"])).code).toBe(0);
    expect((await run(["agents", "test", "Rehearsed", "--version", "999"])).code).toBe(1);
    expect((await run(["agents", "test", "Rehearsed", "--version", "soon"])).code).toBe(2);
    await api("DELETE", `/agents/${id}`);
  });
});

describe("tests of agents that are repeated", () => {
  it("decide the exit code by how many must pass, and exit with 5 if their model fails", async () => {
    const { id } = await api("POST", "/agents", { name: "Unsteady", llm_model: "claude-3-5-sonnet" });
    const asks = { name: "says yes", steps: [{ says: "May I come?" }], expect: [{ said: "yes" }] };
    await api("POST", `/agents/${id}/tests`, { ...asks, repeat: 3, min_passes: 2 });
    const [yes, no, down]: StandInAnswer[] = [
      { steps: [{ say: "Yes." }] },
      { steps: [{ say: "No." }] },
      { status: 401 },
    ];
    const tested = (...answers: (StandInAnswer | undefined)[]) => {
      model.answers(() => answers.shift() ?? { status: 401 });
      return run(["agents", "test", "Unsteady"]);
    };

    const passing = await tested(yes, yes, no);
    expect(passing).toMatchObject({ code: 0, stderr: "" });
    expect(passing.stdout).toMatch(/\npasses: says yes, with 2 of 3\n2 of 3 passed on version \d+\.\n$/);
    const failing = await tested(yes, no, no);
    expect(failing).toMatchObject({ code: 1, stderr: expect.stringContaining("1 of 1 did not pass") });
    const unanswered = await tested(yes, yes, down);
    expect(unanswered).toMatchObject({ code: 5, stderr: expect.stringContaining("because their model failed") });
    expect(unanswered.stdout).toMatch(/ERR {3}says yes( \(\d\))?\n {6}model_failed\n/);
    await api("DELETE", `/agents/${id}`);
  });
});

describe("models and voices on the command line", () => {
  const preview = ["voices", "preview", "aura-2-viktoria-de", "--provider", "deepgram", "--language", "de-DE"];
  const fileOf = (name: string) => readFile(join(cli.folder, name)).catch(() => null);

  it("the list of models shows prices, ends and what is missing", async () => {
    const { stdout } = await run(["models", "list"]);
    expect(stdout).toMatch(/^gpt-4o +no +2\.50 +10\.00 +the integration openai, .*; ends on 2027-01-14, then /m);
    expect(stdout).toMatch(/^claude-3-5-sonnet +yes /m);
    const { voices } = await document(["voices", "list", "--provider", "elevenlabs"]);
    expect(voices.length).toBeGreaterThan(0);
  });

  it("a preview without the vendor's integration ends with exit code 4", async () => {
    const refused = await run([...preview, "--out", "none.mp3", "--json"]);
    expect([refused.code, errorOf(refused).code]).toEqual([4, "integration_not_ready"]);
    expect(await fileOf("none.mp3")).toBeNull();
  });

  it("a preview is written to a file", async () => {
    await api("POST", "/integrations/deepgram/install", { secrets: { api_key: "k" } });
    expect((await run(["voices", "list", "--language", "de-DE"])).stdout).toContain("aura-2-viktoria-de");
    expect((await run([...preview, "--out", "viktoria.mp3"])).stdout).toBe("Wrote 4 bytes to viktoria.mp3.\n");
    expect(new Uint8Array((await fileOf("viktoria.mp3")) ?? [])).toEqual(MP3);
    expect((await run([...preview, "--out", "missing/viktoria.mp3"])).code).toBe(2);
  });

  it("a preview is refused to a key with read alone", async () => {
    const owner = await worker.signIn("clitest");
    const reader = (await send("POST", "/api/v1/api-keys", owner, { name: "reader", scopes: ["read"] })).key as string;
    const refused = await run([...preview, "--out", "reader.mp3"], { env: { SWITCHBOARD_API_KEY: reader } });
    expect([refused.code, await fileOf("reader.mp3")]).toEqual([3, null]);
  });
});

describe("campaigns", () => {
  it("campaigns are watched to their end as the list is called", async () => {
    const args = ["campaigns", "run", "contacts.csv", "--agent", "Reception", "--from", FROM, "--watch"];
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([0, "The campaign is completed: 2 contacts, 2 completed.\n"]);
    expect(stderr).toMatch(/Created the campaign \S+ of 2 contacts\.\n[\s\S]*100% 2\/2, 0 calling\n/);
    const { campaigns } = await document(["campaigns", "list"]);
    expect(campaigns).toMatchObject([{ name: "contacts", status: "completed", total_contacts: 2 }]);
    const again = await run(["campaigns", "watch", campaigns[0].id, "--json"]);
    expect(linesOf(again.stdout)[0]).toMatchObject({ event: "snapshot", data: { status: "completed" } });
    expect(await run(["campaigns", "pause", campaigns[0].id])).toMatchObject({ code: 4 });
  });

  it("continue if watching is interrupted, and exit with 1 if they are paused or stopped", async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: "later", agent_id: agentId, from_number: FROM })) {
      form.set(name, value);
    }
    form.set("scheduled_at", "2099-01-01T00:00:00Z");
    form.set("contacts", new File([CSV], "contacts.csv", { type: "text/csv" }));
    const headers = { authorization: `Bearer ${key}` };
    const created = await fetch(`${worker.origin}/api/v1/campaigns`, { method: "POST", headers, body: form });
    const { id } = (await created.json()) as { id: string };
    await api("POST", `/campaigns/${id}/start`, {});
    const watching = cli.start(["campaigns", "watch", id]);
    await expect.poll(() => watching.notes.join()).toContain("0% 0/2");
    expect(await watching.interrupt()).toBe(130);
    expect(watching.notes.join()).toContain(
      `The campaign continues. Watch it again: switchboard campaigns watch ${id}`,
    );
    expect((await document(["campaigns", "pause", id])).status).toBe("paused");
    expect(await run(["campaigns", "watch", id])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/is paused/),
    });
    expect((await run(["campaigns", "stop", id])).code).toBe(0);
    expect(await run(["campaigns", "watch", id])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/is stopped/),
    });
  });

  it.each([
    [["contacts.csv", "--agent", "Nobody", "--from", FROM], 1, /there is no agent Nobody/],
    [["none.csv", "--agent", "Reception", "--from", FROM], 2, /none\.csv cannot be read: ENOENT/],
    [["contacts.csv", "--agent", "Reception"], 2, /--from/],
  ])("a campaign's command is refused in a sentence: %s", async (args, code, message) => {
    const refused = await run(["campaigns", "run", ...args]);
    expect(refused).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(message) });
    expect(refused.stderr).not.toMatch(/^\s+at /m);
  });
});

describe("events on the command line", () => {
  it("events are forwarded as webhooks that Standard Webhooks verifies, and again by a replay", async () => {
    const received: { id: string; body: unknown; verified: unknown }[] = [];
    let secret = "";
    let refusals = 1;
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const piece of request) body += piece;
      const headers = request.headers as Record<string, string>;
      const verified = new Webhook(secret).verify(body, headers);
      if (refusals-- > 0) return void response.writeHead(500).end();
      received.push({ id: headers["webhook-id"] ?? "", body: JSON.parse(body), verified });
      response.writeHead(204).end();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const listening = cli.start(["listen", "--forward", to, "--types", "call.ended", "--json"]);
    const tailing = cli.start(["calls", "tail", "--json"]);
    await expect.poll(() => listening.lines.length).toBe(1);
    secret = JSON.parse(listening.lines[0] ?? "").secret;
    await expect.poll(() => listening.notes.join()).toContain("Sending events to");
    await expect.poll(() => tailing.notes.join()).toContain("Showing new calls");
    await run(["campaigns", "run", "contacts.csv", "--agent", agentId, "--from", FROM, "--watch"]);
    await expect.poll(() => listening.lines.length).toBe(3);
    expect(received).toHaveLength(2);
    for (const { id, body, verified } of received) {
      expect(verified).toEqual(body);
      expect(body).toMatchObject({ id, type: "call.ended", account: "clitest", data: { status: "completed" } });
      expect(Object.keys(body as object)).toEqual(["id", "type", "timestamp", "account", "data"]);
    }
    const deliveries = listening.lines.slice(1).map((line) => JSON.parse(line));
    expect(deliveries.map(({ tries }) => tries).sort()).toEqual([1, 2]);
    await expect.poll(() => tailing.lines.filter((line) => line.includes('"call.ended"')).length).toBe(2);
    expect(await listening.interrupt()).not.toBe(0);
    await tailing.interrupt();

    const ids = received.splice(0).map(({ id }) => id);
    const replayed = [
      "events",
      "replay",
      "--since",
      "1h",
      "--types",
      "call.ended",
      "--forward",
      to,
      "--secret",
      secret,
    ];
    const { code, stdout } = await run([...replayed, "--json"]);
    expect(code).toBe(0);
    expect(received.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(linesOf(stdout)).toHaveLength(received.length);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    const nobody = await run([...replayed.slice(0, 6), "--after", ids[0] ?? "", "--forward", to]);
    expect(nobody).toMatchObject({ code: 2 });
  });

  it("events are listed oldest first in full", async () => {
    const { stdout } = await run(["events", "list", "--since", "1d", "--json"]);
    const sequences = linesOf(stdout).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    const { conversations } = await document(["conversations", "list"]);
    const shown = await run(["conversations", "show", conversations[0].id]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n(Agent|Caller): /) });
    expect(await document(["conversations", "show", conversations[0].id])).toHaveProperty("turns");
  });

  it("events on the command line are explained in the guides", async () => {
    expect((await document(["docs"])).url).toBe(`${worker.origin}/docs/guides`);
  });
});

describe("documents on the command line", () => {
  /** Asks the agent a question in a separate conversation, and ends it. */
  async function ask(text: string): Promise<void> {
    const { runtime_url, access_token } = await api("POST", `/agents/${agentId}/session`, {});
    const socket = new WebSocket(String(runtime_url));
    let answers = 0;
    socket.addEventListener("message", ({ data }) => {
      if (JSON.parse(String(data)).type === "message") answers += 1;
    });
    await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
    socket.send(JSON.stringify({ type: "session", access_token }));
    for (const said of [text, "Goodbye!"]) {
      const before = answers;
      socket.send(JSON.stringify({ type: "message", id: crypto.randomUUID(), text: said }));
      await expect.poll(() => answers).toBeGreaterThan(before);
    }
    socket.close();
  }

  it("documents on the command line are added, found and shown with the questions that they do not answer", async () => {
    await writeFile(join(cli.folder, "hours.md"), "On Saturdays we close at noon.");
    const { id } = await document(["knowledge", "add", "hours.md", "--title", "Hours"]);
    await expect.poll(async () => (await api("GET", `/knowledge/${id}`)).status).toBe("ready");
    await api("POST", `/agents/${agentId}/knowledge`, { document_id: id, mode: "search" });
    expect((await run(["knowledge", "search", "Saturdays", "--agent", "Reception"])).stdout).toContain("Hours");
    expect((await run(["knowledge", "unanswered"])).stdout).toBe("No unanswered questions.\n");
    await ask("Is there a swimming pool?");
    const listed = () => run(["knowledge", "unanswered", "--agent", "Reception"]);
    await expect.poll(async () => (await listed()).stdout).toContain("Is there a swimming pool?");
    expect((await document(["knowledge", "unanswered"])).questions).toMatchObject([{ agent_id: agentId, times: 1 }]);
    await api("DELETE", `/knowledge/${id}`);
  });

  it("documents on the command line are refused for an unknown agent", async () => {
    expect((await run(["knowledge", "unanswered", "--agent", "Nobody"])).code).not.toBe(0);
  });
});

describe("the CLI's security", () => {
  it("stores the key in a file that only its owner can read, and sends it only to its own service", async () => {
    const file = join(cli.folder, "config/switchboard/settings.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(cli.folder, "config/switchboard"))).mode & 0o777).toBe(0o700);
    const seen: unknown[] = [];
    const stranger = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await new Promise<void>((ready) => stranger.listen(0, "127.0.0.1", ready));
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    expect(await run(["whoami", "--url", url])).toMatchObject({ code: 3 });
    expect(await run(["whoami"], { env: { SWITCHBOARD_URL: url } })).toMatchObject({ code: 3 });
    expect(seen).toEqual([]);
    stranger.close();
  });

  it("has exit codes for missing rights, unknown resources and an unreachable service", async () => {
    const wrong = await run(["whoami", "--api-key", `${key}x`, "--json"]);
    expect([wrong.code, errorOf(wrong).request_id]).toEqual([3, expect.any(String)]);
    expect(await run(["whoami", "--api-key", "no-key"])).toMatchObject({ code: 3 });
    const owner = await worker.signIn("clitest");
    const reader = (await send("POST", "/api/v1/api-keys", owner, { name: "reader", scopes: ["read"] })).key as string;
    const refused = await run(["agents", "push", "--force"], { env: { SWITCHBOARD_API_KEY: reader } });
    expect(refused.code).toBe(0);
    await writeFile(join(cli.folder, "agents/reception/prompt.md"), "Be bold.\n");
    expect(await run(["agents", "push"], { env: { SWITCHBOARD_API_KEY: reader } })).toMatchObject({ code: 3 });
    expect(await run(["conversations", "show", crypto.randomUUID()])).toMatchObject({ code: 1 });
    expect(await run(["whoami", "--url", "http://127.0.0.1:9", "--api-key", "sk_live_x_y"])).toMatchObject({ code: 5 });
    const unknown = await run(["agents", "fly", "--json"]);
    expect([unknown.code, errorOf(unknown).code]).toEqual([2, "usage"]);
  });

  it("deletes the key at logout, and never prints it", async () => {
    expect((await run(["logout"])).code).toBe(0);
    expect(await run(["whoami"])).toMatchObject({ code: 3 });
    expect(printed).not.toContain(key);
    expect(printed).not.toContain(key.slice(-12));
  });
});

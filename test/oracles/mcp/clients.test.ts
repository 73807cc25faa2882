import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD, OPERATOR } from "../../../src/dev/demo-data.ts";
import { blocksOf } from "../../process/docs/blocks.ts";
import { startedService } from "./service.ts";

/** The folder of the guide's program, from which the program finds the client. */
const FOLDER = join(import.meta.dirname, "../dist/assistant-guide");
const INFO = { name: "test", version: "1.0.0" };
const TO = "+13035550110";

const service = startedService({ SANDBOX_RING_MS: "5", SANDBOX_TALK_MS: "5", OPERATOR_SECOND_FACTOR: "off" });
afterAll(() => rm(FOLDER, { recursive: true, force: true }));

describe("the protocol's own clients", () => {
  it("a client of 2026-07-28 asks its user and does what they agreed to", async () => {
    const who = await account(["dial", "build", "listen"]);
    const messages: string[] = [];
    const client = await modern(who.key, (message) => messages.push(message) > 0);
    expect(client.getServerVersion()).toMatchObject({ name: "switchboard" });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(15);
    for (const { outputSchema } of tools) expect(outputSchema).toMatchObject({ type: "object" });
    const found = await client.callTool({ name: "find_agents", arguments: {} });
    expect(found.structuredContent).toMatchObject({ agents: [{ id: who.agent_id }] });
    const order = { agent_id: who.agent_id, from_number: who.from_number, to_number: TO };
    const done = await actOn(client, "place_call", order);
    expect(done.structuredContent).toMatchObject({ done: true, call: { to_number: TO } });
    expect(messages).toEqual([expect.stringContaining(`Call ${TO} with the agent Ada`)]);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("switchboard://guides/guides/assistant");
    const { contents } = await client.readResource({ uri: "switchboard://guides/guides/assistant" });
    expect(JSON.stringify(contents)).toContain("unattended");
  });

  it("a client of 2026-07-28 does nothing that its user declines", async () => {
    const who = await account(["dial"]);
    const client = await modern(who.key, () => false);
    const order = { agent_id: who.agent_id, from_number: who.from_number, to_number: TO };
    const done = await actOn(client, "place_call", order);
    expect([done.isError, JSON.stringify(done.content)]).toEqual([true, expect.stringContaining("declined")]);
  });

  it("a client of an earlier revision waits for an approval on the console's page", async () => {
    const who = await account(["dial", "build", "listen"]);
    const client = await legacy(new URL("/mcp", service.origin), { authorization: `Bearer ${who.key}` });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(15);
    // After listing the tools, the client compares each answer with the tool's schema.
    for (const name of [
      "find_agents",
      "list_campaigns",
      "find_numbers",
      "search_conversations",
      "recent_events",
      "usage",
    ])
      expect((await client.callTool({ name, arguments: {} })).isError, name).toBeUndefined();
    const order = { agent_id: who.agent_id, from_number: who.from_number, to_number: TO };
    const first = await client.callTool({ name: "place_call", arguments: order });
    const { confirm, id, url } = first.structuredContent as Record<string, string>;
    expect(url).toBe(`${service.origin}/console/confirmations/${id}`);
    const again = { name: "place_call", arguments: { ...order, confirm } };
    expect((await client.callTool(again)).isError).toBe(true);
    await who.owner.post(`/api/v1/confirmations/${id}/approve`);
    expect((await client.callTool(again)).structuredContent).toMatchObject({ done: true });
    const templates = await client.listResourceTemplates();
    expect(templates.resourceTemplates.map(({ name }) => name)).toEqual(["guides", "transcripts"]);
  });
});

describe("the guide to assistants", () => {
  it("connects a client by the configuration that it shows", async () => {
    const { key } = await account(["read"]);
    const [config] = (await blocksOf("guides/assistant.md")).filter(({ language }) => language === "json");
    const { mcpServers } = JSON.parse(config?.text ?? "{}") as Configuration;
    const { type, url, headers } = mcpServers.switchboard;
    expect([type, url]).toEqual(["http", "http://localhost:8787/mcp"]);
    const authorization = headers.Authorization.replace("sk_live_…", key);
    const client = await legacy(new URL(new URL(url).pathname, service.origin), { authorization });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("why_waiting");
  });

  for (const [answer, printed] of [
    ["yes", /Good morning\.\n$/],
    ["no", /a person declined this.*\n$/],
  ] as const)
    it(`shows a program that passes on its user's decision, here ${answer}`, async () => {
      const { key } = await account(["build"]);
      const code = (await blocksOf("guides/assistant.md")).find(({ text }) => text.startsWith("// assistant.mjs"));
      const file = join(FOLDER, `${answer}.mjs`);
      await mkdir(FOLDER, { recursive: true });
      await writeFile(file, code?.text ?? "");
      const env = Object.assign({}, process.env, { API_KEY: key, SWITCHBOARD: service.origin });
      const child = spawn(process.execPath, [file], { env, stdio: ["pipe", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      let all = "";
      child.stdout.on("data", (piece: Buffer) => {
        all += piece.toString();
        if (all.endsWith("Do this? ")) child.stdin.write(`${answer}\n`);
      });
      const [code_] = await once(child, "close");
      expect(code_).toBe(0);
      expect(all).toContain("new greeting_message: Good morning.");
      expect(all).toMatch(printed);
    });
});

interface Configuration {
  mcpServers: { switchboard: { type: string; url: string; headers: { Authorization: string } } };
}

/** Creates an account with an agent, a number and an API key with these scopes. */
async function account(scopes: string[]) {
  const name = `t${crypto.randomUUID().slice(0, 8)}`;
  const anybody = new ApiClient(service.origin, fetch);
  const operator = await anybody.signIn(OPERATOR);
  await operator.post("/api/admin/v1/accounts", { name, plan: "scale" });
  const email = `owner@${name}.example`;
  await operator.post(`/api/admin/v1/accounts/${name}/users`, { email, password: LONG_PASSWORD });
  const owner = await anybody.signIn({ account: name, email }, LONG_PASSWORD);
  const from_number = "+12025550100";
  const { id: agent_id } = await owner.post<{ id: string }>("/api/v1/agents", { name: "Ada", status: "active" });
  await owner.post("/api/v1/telephony/numbers", { e164: from_number, provider: "sandbox" });
  const { key } = await owner.post<{ key: string }>("/api/v1/api-keys", { name: "assistant", scopes });
  return { key, agent_id, from_number, owner };
}

/** Connects a client of protocol version 2026-07-28 whose user answers as `agrees` says. */
async function modern(key: string, agrees: (message: string) => boolean): Promise<ModernClient> {
  const client = new ModernClient(INFO, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  client.setRequestHandler("elicitation/create", ({ params }) =>
    agrees(params.message) ? { action: "accept", content: { agree: true } } : { action: "decline" },
  );
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new ModernTransport(new URL("/mcp", service.origin), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

async function legacy(url: URL, headers: Record<string, string>): Promise<LegacyClient> {
  const client = new LegacyClient(INFO);
  await client.connect(new LegacyTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** Requests an action and confirms it. */
async function actOn(client: ModernClient, name: string, order: Record<string, unknown>) {
  const { structuredContent } = await client.callTool({ name, arguments: order });
  const { confirm } = structuredContent as { confirm: string };
  return client.callTool({ name, arguments: { ...order, confirm } });
}

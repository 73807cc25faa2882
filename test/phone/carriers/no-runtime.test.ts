import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { dialDependencies } from "../../../src/campaign/dial/dependencies.ts";
import { LineUnavailable } from "../../../src/campaign/dial/dispatch-dependencies.ts";
import type { CampaignStore } from "../../../src/campaign/store/campaign-store.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { PROVIDERS, type Provider } from "../../../src/phone/carriers/carrier.ts";
import { noRuntime } from "../../../src/phone/carriers/no-runtime.ts";
import { hmac } from "../../../src/phone/carriers/signature.ts";
import { contactsCsv, upload } from "../../campaign/support.ts";
import { BASE, type Client, tenant } from "../../support/client.ts";
import { running } from "../calls/support.ts";

const REAL = PROVIDERS.filter((provider) => provider !== "sandbox");
/** Carriers with which the built-in runtime can talk. */
const IN_TEXT: Provider[] = ["twilio", "telnyx"];
const LOCAL = [
  "localhost",
  "sub.localhost",
  "carrier",
  "127.0.0.1",
  "127.1",
  "0.0.0.0",
  "10.0.0.7",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.9",
  "169.254.169.254",
  "100.64.0.1",
  "[::1]",
  "[::]",
  "[fd00::1]",
  "[fe80::1]",
  "[::ffff:10.0.0.1]",
  "host.docker.internal",
  "printer.local",
  "localhost.",
];
const PUBLIC = [
  "api.twilio.com",
  "switchboard.example",
  "8.8.8.8",
  "172.15.0.1",
  "172.32.0.1",
  "100.63.0.1",
  "100.128.0.1",
  "[2606:4700::1111]",
  "10.example.com",
  "127.0.0.1.example.com",
  "localhost.example",
];
const local = fc.constantFrom(...LOCAL);
const anywhere = fc.constantFrom(...LOCAL, ...PUBLIC);
const provider = fc.constantFrom(...REAL);

/** An environment with every carrier's API at `api`. */
const SERVICE = "https://switchboard.example";
const at = (api: string, rest: { PUBLIC_URL?: string; VOICE_RUNTIME_URL?: string } = {}) => ({
  TWILIO_API_URL: api,
  TELNYX_API_URL: api,
  SIGNALWIRE_API_URL: api,
  VONAGE_API_URL: api,
  PLIVO_API_URL: api,
  PUBLIC_URL: SERVICE,
  VOICE_RUNTIME_URL: "",
  ...rest,
});
const RUNTIME = "wss://media.example/ws";

describe("calls that no runtime can hold", () => {
  it("a call at the sandbox or at a local stand-in needs no runtime", () => {
    fc.assert(
      fc.property(fc.constantFrom<Provider>(...PROVIDERS), local, anywhere, (name, host, origin) => {
        const here = { PUBLIC_URL: `http://${origin}` };
        expect(noRuntime(at(`http://${host}:9000`, here), name)).toBeNull();
        expect(noRuntime(at("https://api.twilio.com", here), "sandbox")).toBeNull();
      }),
    );
  });

  it("a call of a carrier that streams audio needs VOICE_RUNTIME_URL", () => {
    fc.assert(
      fc.property(
        provider.filter((name) => !IN_TEXT.includes(name)),
        fc.constantFrom("", ...PUBLIC.map((host) => `https://${host}`)),
        anywhere,
        (name, api, host) => {
          expect(noRuntime(at(api, { PUBLIC_URL: `https://${host}` }), name)).toMatch(/VOICE_RUNTIME_URL is not set/);
        },
      ),
    );
  });

  it("the built-in runtime holds calls if the carrier can reach PUBLIC_URL", () => {
    fc.assert(
      fc.property(fc.constantFrom(...IN_TEXT), fc.constantFrom(...PUBLIC), local, (name, host, nearby) => {
        expect(noRuntime(at("", { PUBLIC_URL: `https://${host}` }), name)).toBeNull();
        for (const url of [`https://${nearby}`, `http://${host}`])
          expect(noRuntime(at("", { PUBLIC_URL: url }), name)).toMatch(/PUBLIC_URL must be/);
      }),
    );
  });

  it("a runtime that carriers cannot reach over TLS is refused", () => {
    fc.assert(
      fc.property(provider, local, (name, host) => {
        const runtime = (VOICE_RUNTIME_URL: string) => noRuntime(at("", { VOICE_RUNTIME_URL }), name);
        for (const url of [
          `wss://${host}/ws`,
          `ws://${host}/ws`,
          "ws://media.example/ws",
          "https://media.example",
          "media",
        ]) {
          expect([url, runtime(url)]).toEqual([url, expect.stringMatching(/VOICE_RUNTIME_URL must be/)]);
        }
        const service = (PUBLIC_URL: string) => noRuntime(at("", { PUBLIC_URL, VOICE_RUNTIME_URL: RUNTIME }), name);
        for (const url of [`https://${host}`, `http://${host}:8787`, "http://switchboard.example"]) {
          expect([url, service(url)]).toEqual([url, expect.stringMatching(/PUBLIC_URL must be/)]);
        }
      }),
    );
  });

  it("a runtime on a public address is accepted", () => {
    fc.assert(
      fc.property(provider, fc.constantFrom(...PUBLIC), fc.constantFrom(...PUBLIC), (name, runtime, host) => {
        const between = { VOICE_RUNTIME_URL: `wss://${runtime}/ws`, PUBLIC_URL: `https://${host}` };
        expect(noRuntime(at("", between), name)).toBeNull();
        expect(noRuntime(at("https://api.example", between), name)).toBeNull();
      }),
    );
  });
});

const NUMBER = "+12025550177";
const AUTH_TOKEN = "a-token-of-twilio";

const CREDENTIALS = {
  twilio: { account_sid: "AC1", auth_token: AUTH_TOKEN },
  signalwire: { space: "example", project_id: "P-1", api_token: "t", signing_key: AUTH_TOKEN },
};

/** Creates an account whose only number is at this carrier on the internet, without a custom runtime. */
async function numberAt(provider: keyof typeof CREDENTIALS) {
  const who = await tenant();
  const { server } = who;
  const create = async (path: string, body: object) => (await server.post<{ id: string }>(path, body)).body.id;
  const agent_id = await create("/api/v1/agents", { name: "Ada", status: "active", llm_model: "gpt-4o" });
  const credentials = CREDENTIALS[provider];
  const credentials_id = await create("/api/v1/telephony/providers", { provider, credentials });
  await create("/api/v1/telephony/numbers", { e164: NUMBER, credentials_id, agent_id });
  return { ...who, agent_id };
}

async function calls(server: Client): Promise<number> {
  return (await server.get<{ total: number }>("/api/v1/calls")).body.total;
}

/** Returns the answer to an inbound call of a service with these variables. */
async function ring(account: string, provider: keyof typeof CREDENTIALS, vars: Record<string, string> = {}) {
  const url = `${BASE}/api/telephony/inbound/${provider}/${account}`;
  const fields = { CallSid: "CA1", CallStatus: "ringing", Direction: "inbound", From: "+12025550123", To: NUMBER };
  const signed = Object.entries(fields).reduce((text, [name, value]) => text + name + value, url);
  const headers = { [`x-${provider}-signature`]: await hmac("SHA-1", AUTH_TOKEN, signed) };
  const request = new Request(url, { method: "POST", headers, body: new URLSearchParams(fields) });
  const answer = await app.fetch(request, { ...env, ...vars }, createExecutionContext());
  expect(answer.status).toBe(200);
  return answer.text();
}
const TURNED_AWAY = /<Say>Nobody is available .*<Hangup\/>/s;

describe.each([
  ["a runtime for its calls", "signalwire", "no_runtime", "SIGNALWIRE_API_URL"],
  ["a model for its calls", "twilio", "no_model", "TWILIO_API_URL"],
] as const)("a carrier on the internet without %s", (_, carrier, code, variable) => {
  it("a carrier is not asked to place a call that cannot be held", async () => {
    const { server, agent_id } = await numberAt(carrier);
    const order = { agent_id, from_number: NUMBER, to_number: "+12025550123" };
    const answer = await server.post("/api/v1/calls/originate", order);
    expect([answer.status, answer.code]).toEqual([409, code]);
    expect([await calls(server), await running(server)]).toEqual([0, 0]);
  });

  it("a carrier is not asked to place a campaign's calls that cannot be held, whether it starts or resumes", async () => {
    const { server, agent_id } = await numberAt(carrier);
    const sandbox = "+12025550100";
    await server.post("/api/v1/telephony/numbers", { e164: sandbox, provider: "sandbox" });
    const { body } = await upload(server, contactsCsv(2), {
      agent_id,
      from_number: NUMBER,
      scheduled_at: "2099-01-01T00:00:00Z",
    });
    const path = `/api/v1/campaigns/${body.id}`;
    const refused = await server.post(`${path}/start`);
    expect([refused.status, refused.code]).toEqual([409, code]);
    expect((await server.get(path)).body).toMatchObject({ status: "draft" });
    await server.patch(path, { from_number: sandbox });
    expect((await server.post(`${path}/start`)).status).toBe(200);
    await server.post(`${path}/pause`);
    await server.patch(path, { from_number: NUMBER });
    const again = await server.post(`${path}/resume`);
    expect([again.status, again.code]).toEqual([409, code]);
    expect((await server.get(path)).body).toMatchObject({ status: "paused" });
  });

  it("a carrier is not asked to place further calls of a running campaign that cannot be held", async () => {
    const { account, agent_id } = await numberAt(carrier);
    const rows = accountStore(env, account, { actor: "test", request_id: "" });
    // The campaign's fields that decide the line of its calls.
    const store = {
      campaign: { settings: { agent_id, agent_version: "live", from_number: NUMBER } },
    } as unknown as CampaignStore;
    const line = (vars: Record<string, string> = {}) =>
      dialDependencies({ ...env, ...vars }, store, rows, () => {}).line();
    await expect(line()).rejects.toThrow(new LineUnavailable(code));
    expect(await line({ [variable]: "http://127.0.0.1:9000" })).toMatchObject({ provider: carrier, agent_id });
  });

  it("turns callers away, unless it is a stand-in", async () => {
    const { account, server } = await numberAt(carrier);
    expect(await ring(account, carrier)).toMatch(TURNED_AWAY);
    expect(await calls(server)).toBe(0);
    expect(await ring(account, carrier, { [variable]: "http://127.0.0.1:9000" })).toMatch(/<Connect/);
    expect(await calls(server)).toBe(1);
  });
});

describe("a carrier on the internet that works with the built-in runtime", () => {
  it("connects callers once a model is configured, of the account or of the platform", async () => {
    const { account, server, agent_id } = await numberAt("twilio");
    expect(await ring(account, "twilio", { LLM_BASE_URL: "https://models.example/v1" })).toMatch(
      /<Connect action="[^"]+"><ConversationRelay url="wss:\/\/switchboard\.test\/runtime\/twilio\//,
    );
    const { integrations } = (
      await server.get<{ integrations: { id: string; name: string }[] }>("/api/v1/integrations")
    ).body;
    const id = integrations.find(({ name }) => name === "openai")?.id;
    await server.post(`/api/v1/integrations/${id}/install`, { secrets: { api_key: "sk-of-the-account" } });
    const { body } = await upload(server, contactsCsv(2), {
      agent_id,
      from_number: NUMBER,
      scheduled_at: "2099-01-01T00:00:00Z",
    });
    expect((await server.post(`/api/v1/campaigns/${body.id}/start`)).status).toBe(200);
    // That key is not valid for another vendor's model.
    await server.patch(`/api/v1/agents/${agent_id}`, { llm_model: "claude-3-5-sonnet" });
    await server.post(`/api/v1/campaigns/${body.id}/pause`);
    expect((await server.post(`/api/v1/campaigns/${body.id}/resume`)).code).toBe("no_model");
    await server.patch(`/api/v1/agents/${agent_id}`, { fallback_model: "gpt-4o" });
    expect((await server.post(`/api/v1/campaigns/${body.id}/resume`)).status).toBe(200);
  });
});

import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished } from "vitest";
import { app } from "../../../src/app.ts";
import { contactsCsv, ready, upload } from "../../campaign/support.ts";
import { answering, ring } from "../../phone/inbound/support.ts";
import { recordingOf } from "../../phone/recordings/support.ts";
import { BASE, type Client, tenant } from "../../support/client.ts";

/** Requests a URL from the service with other variables. */
async function at(vars: Record<string, string>, url: string, init: RequestInit = {}) {
  const request = new Request(url, { redirect: "manual", ...init });
  const response = await app.fetch(request, { ...env, ...vars }, createExecutionContext());
  return { status: response.status, code: response.headers.get("x-error-code"), text: await response.text() };
}

const MISSING = { status: 503, code: "public_url_missing", text: expect.stringMatching(/^"PUBLIC_URL must be/) };

describe("the service's address", () => {
  const json = { "content-type": "application/json" };
  const order = (client: Client, body: unknown) => ({
    method: "POST",
    headers: { ...client.headers, ...json },
    body: JSON.stringify(body),
  });

  it("the service's address is the configured one even if a request names another host", async () => {
    const who = await tenant();
    const line = await ready(who);
    const body = { ...line, to_number: "+13035550110" };
    const created = await at({}, "https://elsewhere.example/api/v1/calls/originate", order(who.server, body));
    const { call_id } = JSON.parse(created.text);
    const { id } = await recordingOf(who.server, call_id);
    const { headers } = who.server;
    const url = await at({}, `https://elsewhere.example/api/v1/recordings/${id}/url`, { headers });
    expect(JSON.parse(url.text).url).toMatch(new RegExp(`^${BASE}/api/recordings/`));
  });

  it.each(["", "switchboard.example", "ftp://switchboard.example"])(
    "the service's address is not guessed if %j is configured",
    async (PUBLIC_URL) => {
      const who = await answering();
      const { server } = who;
      const line = { agent_id: who.agent_id, from_number: "+12025550100" };
      const originate = order(server, { ...line, to_number: "+13035550110" });
      expect(await at({ PUBLIC_URL }, `${BASE}/api/v1/calls/originate`, originate)).toEqual(MISSING);
      expect((await server.get("/api/v1/calls")).body).toMatchObject({ total: 0 });
      expect((await server.get("/api/v1/call-limits")).body).toMatchObject({ concurrent_calls: { used: 0 } });

      const { call_id } = (await ring(who)).body;
      const report = { method: "POST", body: "{}" };
      for (const path of [`webhooks/sandbox/${who.account}/${call_id}`, `inbound/sandbox/${who.account}`])
        expect(await at({ PUBLIC_URL }, `${BASE}/api/telephony/${path}`, report)).toEqual(MISSING);

      const oidc = { PUBLIC_URL, OIDC_ISSUER: "https://idp.example", OIDC_CLIENT_ID: "console" };
      expect(await at(oidc, `${BASE}/api/login?account=${who.account}`)).toEqual(MISSING);
      expect((await at({ PUBLIC_URL }, `${BASE}/api/v1/agents`, { headers: server.headers })).status).toBe(200);
    },
  );

  it("playing a recording requires the service's address, but managing one does not", async () => {
    const who = await tenant();
    const created = await who.server.post<{ call_id: string }>("/api/v1/calls/originate", {
      ...(await ready(who)),
      to_number: "+13035550110",
    });
    const { id } = await recordingOf(who.server, created.body.call_id);
    const { headers } = who.server;
    const path = `${BASE}/api/v1/recordings/${id}`;
    expect(await at({ PUBLIC_URL: "" }, `${path}/url`, { headers })).toEqual(MISSING);
    expect((await at({ PUBLIC_URL: "" }, path, { headers })).status).toBe(200);
  });
});

describe("requests for other hosts", () => {
  const local = { ALLOWED_HOSTS: "localhost,127.0.0.1,[::1]" };

  it.each(["http://localhost:8787", "http://LOCALHOST", "http://127.0.0.1:1", "http://[::1]:8787"])(
    "%s is accepted as this machine",
    async (origin) => {
      expect((await at(local, `${origin}/docs`)).status).toBe(200);
    },
  );

  it.each(["http://evil.example:8787", "http://localhost.evil.example", "http://127.0.0.2", "http://sub.localhost"])(
    "%s is refused before anything else is checked",
    async (origin) => {
      const answer = await at({ ...local, DB: undefined as never }, `${origin}/api/accounts`);
      expect(answer).toMatchObject({
        status: 421,
        code: "misdirected_request",
        text: expect.stringMatching(/the host/),
      });
    },
  );

  it("requests for any host are accepted if no hosts are configured", async () => {
    expect((await at({ ALLOWED_HOSTS: "" }, "https://anything.example/docs")).status).toBe(200);
  });
});

describe("a campaign of a service without an address", () => {
  it("cannot be started, but can be created, read and stopped", async () => {
    const who = await tenant();
    const { body } = await upload(who.server, contactsCsv(1), await ready(who));
    const { headers } = who.server;
    const path = `${BASE}/api/v1/campaigns/${body.id}`;
    const address = (PUBLIC_URL: string) =>
      runInDurableObject(env.CAMPAIGN.getByName(`${who.account}/${body.id}`) as DurableObjectStub, (campaign) => {
        Object.assign((campaign as unknown as { env: Env }).env, { PUBLIC_URL });
      });
    onTestFinished(() => address(env.PUBLIC_URL));
    await address("");
    const start = await who.server.post(`/api/v1/campaigns/${body.id}/start`);
    await address(env.PUBLIC_URL);
    expect([start.status, start.code]).toEqual([503, "public_url_missing"]);
    expect((await at({ PUBLIC_URL: "" }, path, { headers })).status).toBe(200);
    expect((await at({ PUBLIC_URL: "" }, `${path}/stop`, { method: "POST", headers })).status).toBe(200);
  });
});

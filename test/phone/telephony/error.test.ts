import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, type Client, tenant } from "../../support/client.ts";

const NUMBERS = "/api/v1/telephony/numbers";
const PROVIDERS = "/api/v1/telephony/providers";
const E164 = "+12025550100";
const NONE = "0190b1a0-0000-7000-8000-000000000000";

/** Sends the request without an encryption key. */
async function withoutEncryption(client: Client, path: string, body?: unknown) {
  const request = new Request(BASE + path, {
    method: "POST",
    headers: { ...client.headers, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return app.fetch(request, { ...env, ENCRYPTION_KEYS: "" }, createExecutionContext());
}

describe("invalid requests about numbers", () => {
  it.each([
    ["no e164", { provider: "sandbox" }, "invalid_request"],
    ["no E.164 number", { e164: "12025550100", provider: "sandbox" }, "invalid_number"],
    ["an unknown provider", { e164: E164, provider: "pigeon" }, "invalid_request"],
    ["neither provider nor credentials", { e164: E164 }, "invalid_request"],
    ["a carrier without credentials", { e164: E164, provider: "twilio" }, "invalid_request"],
    ["credentials that are not there", { e164: E164, credentials_id: NONE }, "unknown_reference"],
    ["an agent that is not there", { e164: E164, provider: "sandbox", agent_id: NONE }, "unknown_reference"],
    ["a flag that is not a boolean", { e164: E164, provider: "sandbox", inbound_enabled: "yes" }, "invalid_request"],
  ])("registering a number answers 400 for %s", async (_, body, code) => {
    const { server } = await tenant();
    const answer = await server.post(NUMBERS, body);
    expect([answer.status, answer.code]).toEqual([400, code]);
    expect((await server.get(NUMBERS)).body).toMatchObject({ total: 0 });
  });

  it("registering the same number twice answers 400, even at the same moment", async () => {
    const { server } = await tenant();
    const body = { e164: E164, provider: "sandbox" };
    const both = await Promise.all([server.post(NUMBERS, body), server.post(NUMBERS, body)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    const again = await server.post(NUMBERS, body);
    expect([again.status, again.code]).toEqual([400, "duplicate_number"]);
  });

  it("an unknown or malformed number id answers 404", async () => {
    const { server } = await tenant();
    for (const id of [NONE, "nonsense"]) {
      expect((await server.patch(`${NUMBERS}/${id}`, { agent_id: null })).status).toBe(404);
      expect((await server.delete(`${NUMBERS}/${id}`)).status).toBe(404);
    }
  });

  it("pinning a number answers 404 for an unknown agent or 400 without agent_id", async () => {
    const { server } = await tenant();
    const { id } = (await server.post<{ id: string }>(NUMBERS, { e164: E164, provider: "sandbox" })).body;
    for (const agent_id of [NONE, "nonsense"]) {
      const answer = await server.patch(`${NUMBERS}/${id}`, { agent_id });
      expect([answer.status, answer.code, answer.body]).toEqual([404, "not_found", "agent not found"]);
    }
    expect((await server.patch(`${NUMBERS}/${id}`, {})).status).toBe(400);
    expect((await server.patch(`${NUMBERS}/${NONE}`, { agent_id: NONE })).status).toBe(404);
  });
});

describe("invalid requests about credentials", () => {
  it.each([
    ["no credentials", { provider: "sandbox" }],
    ["credentials that are not an object", { provider: "sandbox", credentials: "secret" }],
    ["fields the provider does not know", { provider: "sandbox", credentials: { extra: { deep: 1 } } }],
    ["no provider", { credentials: {} }],
    ["an unknown provider", { provider: "pigeon", credentials: {} }],
    ["an empty label", { provider: "sandbox", label: " ", credentials: {} }],
  ])("storing credentials answers 400 for %s", async (_, body) => {
    const { server } = await tenant();
    expect((await server.post(PROVIDERS, body)).status).toBe(400);
    expect((await server.get(PROVIDERS)).body).toMatchObject({ total: 0 });
  });

  it("deleting credentials that a number uses answers 409", async () => {
    const { server } = await tenant();
    const { id } = (await server.post<{ id: string }>(PROVIDERS, { provider: "sandbox", credentials: {} })).body;
    const number = await server.post<{ id: string }>(NUMBERS, { e164: E164, credentials_id: id });
    const refused = await server.delete(`${PROVIDERS}/${id}`);
    expect([refused.status, refused.code]).toEqual([409, "credentials_in_use"]);
    await server.delete(`${NUMBERS}/${number.body.id}`);
    expect((await server.delete(`${PROVIDERS}/${id}`)).status).toBe(204);
  });

  it("unknown credentials answer 404", async () => {
    const { server } = await tenant();
    for (const id of [NONE, "nonsense"]) {
      expect((await server.delete(`${PROVIDERS}/${id}`)).status).toBe(404);
      expect((await server.post(`${PROVIDERS}/${id}/verify`)).status).toBe(404);
    }
  });

  it("storing credentials answers 503 without encryption", async () => {
    const { server } = await tenant();
    const answer = await withoutEncryption(server, PROVIDERS, { provider: "sandbox", credentials: {} });
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([503, "encryption_unavailable"]);
    expect((await server.get(PROVIDERS)).body).toMatchObject({ total: 0 });
    const { id } = (await server.post<{ id: string }>(PROVIDERS, { provider: "sandbox", credentials: {} })).body;
    expect((await withoutEncryption(server, `${PROVIDERS}/${id}/verify`)).status).toBe(503);
  });
});

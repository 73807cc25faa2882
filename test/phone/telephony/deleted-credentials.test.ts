import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import worker from "../../../src/index.ts";
import { BASE, type Tenant, tenant } from "../../support/client.ts";

const PROVIDERS = "/api/v1/telephony/providers";
const NUMBERS = "/api/v1/telephony/numbers";
const E164 = "+12025550100";
const credentials = { account_sid: "AC00c0ffee", auth_token: "carrier-secret" };
const DAY_MS = 86_400_000;

async function withCredentials(who: Tenant, e164 = E164) {
  const created = await who.server.post<{ id: string }>(PROVIDERS, { provider: "twilio", credentials });
  const agent = await who.server.post<{ id: string }>("/api/v1/agents", { name: "Reception", status: "active" });
  const number = { e164, credentials_id: created.body.id, agent_id: agent.body.id };
  const numbered = await who.server.post<{ id: string }>(NUMBERS, number);
  expect(numbered.status).toBe(201);
  return {
    credentials: `${PROVIDERS}/${created.body.id}`,
    id: created.body.id,
    number: `${NUMBERS}/${numbered.body.id}`,
  };
}

/** Announces an inbound call, or reports its end, as Twilio. */
async function twilio({ account }: Tenant, sid: string, status: "ringing" | "completed") {
  const path = `/api/telephony/inbound/twilio/${account}`;
  const fields = { CallSid: sid, CallStatus: status, Direction: "inbound", From: "+13035550106", To: E164 };
  const signed = Object.entries(fields).map((field) => field.join(""));
  const key = new TextEncoder().encode(credentials.auth_token);
  const algorithm = { name: "HMAC", hash: "SHA-1" };
  const text = new TextEncoder().encode(BASE + path + signed.join(""));
  const mac = await crypto.subtle.sign(
    algorithm,
    await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]),
    text,
  );
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": btoa(String.fromCharCode(...new Uint8Array(mac))),
  };
  const request = new Request(BASE + path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  // A carrier on the internet needs a media runtime there.
  const abroad = { ...env, VOICE_RUNTIME_URL: "wss://media.example" };
  const response = await app.fetch(request, abroad, createExecutionContext());
  return { status: response.status, code: response.headers.get("x-error-code"), body: await response.text() };
}

const sealedRows = async ({ account }: Tenant) =>
  (await env.DB.prepare("SELECT id FROM telephony_providers WHERE account = ?").bind(account).all()).results.length;

async function cron(later: number) {
  const context = createExecutionContext();
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(Date.now() + later) }), env);
  await waitOnExecutionContext(context);
}

/** Sends a request and runs `act` between its first read and its write. */
async function sendWhile({ server }: Tenant, path: string, body: object, act: () => Promise<unknown>) {
  let acted = false;
  const batch: D1Database["batch"] = async (statements) => {
    const results = await env.DB.batch(statements);
    if (!acted) {
      acted = true;
      await act();
    }
    return results as never;
  };
  const DB = new Proxy(env.DB, { get: (db, name) => (name === "batch" ? batch : db.prepare.bind(db)) });
  const headers = { ...server.headers, "content-type": "application/json" };
  const request = new Request(BASE + path, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await app.fetch(request, { ...env, DB }, createExecutionContext());
  return { acted, status: response.status, code: response.headers.get("x-error-code"), body: await response.json() };
}

describe("credentials that were deleted", () => {
  it("deleted credentials are not listed, verified or usable for a new number", async () => {
    const who = await tenant();
    const created = await withCredentials(who);
    await who.server.delete(created.number);
    expect((await who.server.delete(created.credentials)).status).toBe(204);
    expect((await who.server.get(PROVIDERS)).body).toEqual({ providers: [], total: 0 });
    expect((await who.server.post(`${created.credentials}/verify`)).status).toBe(404);
    expect((await who.server.delete(created.credentials)).status).toBe(404);
    const number = await who.server.post(NUMBERS, { e164: "+12025550199", credentials_id: created.id });
    expect([number.status, number.code]).toEqual([400, "unknown_reference"]);
  });

  it("deleted credentials are refused for a number that is registered at the same moment", async () => {
    const who = await tenant();
    const created = await withCredentials(who);
    await who.server.delete(created.number);
    const statuses: number[] = [];
    const number = await sendWhile(who, NUMBERS, { e164: "+12025550199", credentials_id: created.id }, async () => {
      statuses.push((await who.server.delete(created.credentials)).status);
    });
    expect([number.status, number.code, statuses]).toEqual([400, "unknown_reference", [204]]);
    expect((await who.server.get(NUMBERS)).body).toEqual({ numbers: [], total: 0 });
  });

  it("deleted credentials verify the end of their existing calls, but no new call", async () => {
    const who = await tenant();
    const created = await withCredentials(who);
    expect((await twilio(who, "CA1", "ringing")).body).toContain("<Connect>");
    await who.server.delete(created.number);
    await who.server.delete(created.credentials);
    expect((await twilio(who, "CA1", "completed")).status).toBe(204);
    const { calls } = (await who.server.get<{ calls: { status: string }[] }>("/api/v1/calls")).body;
    expect(calls).toMatchObject([{ status: "completed" }]);
    const refused = await twilio(who, "CA2", "ringing");
    expect([refused.status, refused.code]).toEqual([403, "forged_webhook"]);
  });

  it("deleted credentials do not prevent storing the same credentials again", async () => {
    const who = await tenant();
    const created = await withCredentials(who);
    await who.server.delete(created.number);
    await who.server.delete(created.credentials);
    await withCredentials(who);
    expect((await twilio(who, "CA1", "ringing")).body).toContain("<Connect>");
  });

  it("the cron purges unused deleted credentials after two days", async () => {
    const [who, other] = [await tenant(), await tenant()];
    const created = await withCredentials(who);
    await withCredentials(other);
    await who.server.delete(created.number);
    await who.server.delete(created.credentials);
    await cron(2 * DAY_MS - 60_000);
    expect([await sealedRows(who), await sealedRows(other)]).toEqual([1, 1]);
    await cron(2 * DAY_MS + 60_000);
    expect([await sealedRows(who), await sealedRows(other)]).toEqual([0, 1]);
  });
});

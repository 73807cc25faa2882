import { exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { apiKey, BASE, type Client, consoleUser, tenant } from "../../support/client.ts";
import { begin, GOODBYE, over, type Tested, tested, withTest } from "./support.ts";

interface Ticket {
  url: string;
  expires_at: string;
}

afterEach(() => vi.restoreAllMocks());

const take = (client: Client, id: string) => client.post<Ticket>(`/api/v1/test-runs/${id}/events/ticket`);

/** Creates an ended run and a ticket to it. */
async function ticketed(who: Tested, client: Client = who.server) {
  const { id } = (await begin(who)).body;
  await over(who.server, id);
  const { status, body } = await take(client, id);
  expect(status, JSON.stringify(body)).toBe(200);
  return { id, url: body.url };
}

async function withRun() {
  const who = await tested();
  await withTest(who, GOODBYE);
  return who;
}

/** Connects as a browser's EventSource does. */
async function connect(url: string, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(new Request(url, { headers }));
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const text = await response.text();
  return { status: response.status, code: response.headers.get("x-error-code"), text, headers: response.headers };
}

const answered = async (url: string) => {
  const { status, code } = await connect(url);
  return [status, code];
};

describe("a ticket to a test run's events", () => {
  it("streams the run without a header, resumes after an event, and answers 204 once all was sent", async () => {
    const who = await withRun();
    const { id, url } = await ticketed(who);
    expect(url.startsWith(`${BASE}/api/test-runs/${id}/events?ticket=eyJ`)).toBe(true);
    const { status, headers, text } = await connect(url);
    expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(text).toMatch(/^retry: 2000\n\nevent: snapshot\n/);
    const later = await connect(`${url}&last_event_id=1`);
    expect(later.text.match(/^(event|id): .*$/gm)).toEqual([
      "event: snapshot",
      "event: test.finished",
      "id: 2",
      "event: run.ended",
      "id: 3",
    ]);
    expect((await connect(`${url}&last_event_id=0`, { "last-event-id": "3" })).status).toBe(204);
  });

  it("a ticket to a test run's events is issued only to those who may listen to the agent's runs", async () => {
    const who = await withRun();
    const { id } = await ticketed(who);
    const viewer = await consoleUser(who.account, "viewer");
    expect((await take(viewer, id)).code).toBe("missing_scope");
    expect((await take((await tenant()).server, id)).status).toBe(404);
    const other = await who.server.post<{ id: string }>("/api/v1/agents", { name: "Other" });
    const { server: key } = await apiKey(who.user, { scopes: ["listen"], agent_ids: [other.body.id] });
    expect((await take(key, id)).status).toBe(404);
    expect((await take(who.server, crypto.randomUUID())).status).toBe(404);
  });

  it("opens only this run of this account", async () => {
    const [who, stranger] = [await withRun(), await withRun()];
    const [mine, next, theirs] = [await ticketed(who), await ticketed(who), await ticketed(stranger)];
    const ticket = new URL(mine.url).search;
    for (const { id } of [next, theirs])
      expect(await answered(`${BASE}/api/test-runs/${id}/events${ticket}`)).toEqual([403, "ticket_invalid"]);
    for (const path of [`/api/campaigns/${mine.id}/events`, "/api/events/stream"])
      expect(await answered(`${BASE}${path}${ticket}`)).toEqual([403, "ticket_invalid"]);
    expect(await answered(`${mine.url}x`)).toEqual([403, "ticket_invalid"]);
    expect(await answered(mine.url.replace(/\?.*/, ""))).toEqual([400, "invalid_request"]);
  });

  it("a ticket to a test run's events is valid for a minute, and only while its key is valid and may listen", async () => {
    const who = await withRun();
    const { id: key, server } = await apiKey(who.user, { scopes: ["listen"] });
    const { url } = await ticketed(who, server);
    expect(await answered(url)).toEqual([200, null]);
    await who.user.patch(`/api/v1/api-keys/${key}`, { scopes: ["read"] });
    expect(await answered(url)).toEqual([403, "access_revoked"]);
    await who.user.patch(`/api/v1/api-keys/${key}`, { scopes: ["listen"], disabled: true });
    expect(await answered(url)).toEqual([403, "key_revoked"]);
    await who.user.patch(`/api/v1/api-keys/${key}`, { disabled: false });
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 61_000);
    expect(await answered(url)).toEqual([403, "ticket_expired"]);
  });
});

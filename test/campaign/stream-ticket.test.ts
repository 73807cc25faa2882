import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { decodeJwt, type JWTPayload } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Audience, signToken } from "../../src/kernel/secrets/tokens.ts";
import { BASE, type Client, call, consoleUser, operator, type Tenant, tenant } from "../support/client.ts";
import { page, widgetTenant } from "../support/widget.ts";
import { contactsCsv, ready, started, upload, watch } from "./support.ts";

interface Ticket {
  url: string;
  expires_at: string;
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const take = (client: Client, id: string) => client.post<Ticket>(`/api/v1/campaigns/${id}/events/ticket`);

/** Creates a campaign and returns the URL of a ticket for it. */
async function ticketed(who: Tenant, client: Client = who.server) {
  const { body } = await upload(who.server, contactsCsv(1));
  const { url } = (await take(client, body.id)).body;
  return { id: body.id, url };
}

/** Connects as a browser's EventSource does: it sets no headers itself, except the last ID when it reconnects. */
async function connect(url: string, headers: Record<string, string> = {}) {
  const origin = { origin: "https://shop.example" };
  const response = await exports.default.fetch(new Request(url, { headers: { ...origin, ...headers } }));
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const code = response.headers.get("x-error-code");
  if (response.status !== 200 || !response.body) return { status: response.status, code, body: await response.json() };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader.read()).value ?? "";
  return { status: 200, code, body: null, response, next, leave: () => reader.cancel() };
}

/** Returns the status and code with which a connection is answered. */
async function answered(url: string) {
  const { status, code, leave } = await connect(url);
  await leave?.();
  return [status, code];
}

const withTicket = (url: string, ticket: string) => url.replace(/ticket=.*/, `ticket=${ticket}`);
const ticketOf = (url: string) => new URL(url).searchParams.get("ticket") ?? "";

describe("a stream ticket", () => {
  it("opens the event stream without a header, any number of times within a minute", async () => {
    const who = await tenant();
    const before = Date.now();
    const { body } = await upload(who.server, contactsCsv(1));
    const { status, body: ticket } = await take(who.server, body.id);
    expect(status).toBe(200);
    expect(ticket.url.startsWith(`${BASE}/api/campaigns/${body.id}/events?ticket=eyJ`)).toBe(true);
    const lasts = Date.parse(ticket.expires_at) - before;
    expect(lasts).toBeGreaterThan(58_000);
    expect(lasts).toBeLessThanOrEqual(60_000 + (Date.now() - before));
    for (const _ of ["once", "again"]) {
      const stream = await connect(ticket.url);
      expect(stream.response?.headers.get("content-type")).toBe("text/event-stream");
      expect(stream.response?.headers.get("x-accel-buffering")).toBe("no");
      expect(stream.response?.headers.get("cache-control")).toBe("no-store");
      expect(await stream.next?.()).toMatch(/^retry: 2000\n\nevent: snapshot\n/);
      await stream.leave?.();
    }
  });

  it("a stream ticket is also issued to a console user and under the path aliases", async () => {
    const who = await tenant();
    const { url } = await ticketed(who, who.user);
    expect(await answered(url)).toEqual([200, null]);
    expect(await answered(url.replace("/api/", "/hub-api/api/"))).toEqual([200, null]);
  });

  it("resumes after the last event id, the header taking precedence over the query", async () => {
    const who = await tenant();
    const references = await ready(who);
    const path = await started({ ...who, ...references }, contactsCsv(1), { scheduled_at: "2099-01-05T12:30:00Z" });
    const id = path.split("/").at(-1) ?? "";
    await watch(who.server, id, ({ event }) => event === "snapshot");
    const { url } = (await take(who.server, id)).body;
    /** Returns the first IDs. */
    const first = async (address: string, headers: Record<string, string> = {}) => {
      const stream = await connect(address, headers);
      expect(stream.status).toBe(200);
      let text = "";
      while (!/\nid: \d+\n/.test(text)) text += await stream.next?.();
      await stream.leave?.();
      return Number(/\nid: (\d+)\n/.exec(text)?.[1]);
    };
    expect(await first(`${url}&last_event_id=0`)).toBe(1);
    expect(await first(`${url}&last_event_id=0`, { "last-event-id": "1" })).toBe(2);
    expect(await first(`${url}&last_event_id=x`)).toBeGreaterThan(2);
  });

  it("answers the preflight of a fetch client that sends Last-Event-ID", async () => {
    const { url } = await ticketed(await tenant());
    const preflight = { "access-control-request-method": "GET", "access-control-request-headers": "last-event-id" };
    const { pathname, search } = new URL(url);
    const answer = await call("OPTIONS", pathname + search, {
      headers: { origin: "https://shop.example", ...preflight },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET");
    expect(answer.headers.get("access-control-allow-headers")).toContain("last-event-id");
  });
});

describe("an invalid stream ticket", () => {
  it("a stream ticket is neither issued for an unknown campaign nor valid for a deleted one", async () => {
    const who = await tenant();
    const missing = await take(who.server, "0190b1a0-0000-7000-8000-000000000000");
    expect([missing.status, missing.code]).toEqual([404, "not_found"]);
    const { id, url } = await ticketed(who);
    await who.server.delete(`/api/v1/campaigns/${id}`);
    expect(await answered(url)).toEqual([404, "not_found"]);
  });

  it("a stream ticket is refused after a minute, while a stream it opened continues", async () => {
    const { url } = await ticketed(await tenant());
    const stream = await connect(url);
    await stream.next?.();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 61_000);
    const late = await connect(url, { "last-event-id": "1" });
    expect([late.status, late.code]).toEqual([403, "ticket_expired"]);
    expect(late.body).toMatch(/request a new one.*last_event_id/);
    await stream.leave?.();
  });

  it("a missing stream ticket is refused", async () => {
    const { url } = await ticketed(await tenant());
    expect(await answered(url.replace(/\?.*/, ""))).toEqual([400, "invalid_request"]);
    expect(await answered(withTicket(url, ""))).toEqual([403, "ticket_invalid"]);
  });

  it("opens no more streams than the account may have", async () => {
    const who = await tenant();
    const quotas = { quotas: { event_streams: 1 } };
    await (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, quotas);
    const { url } = await ticketed(who);
    const stream = await connect(url);
    await stream.next?.();
    expect(await answered(url)).toEqual([429, "quota_exceeded"]);
    await stream.leave?.();
  });
});

describe("the security of a stream ticket", () => {
  it("limits it to one campaign of one account", async () => {
    const [who, other] = [await tenant(), await tenant()];
    const [mine, next, theirs] = [await ticketed(who), await ticketed(who), await ticketed(other)];
    for (const elsewhere of [next, theirs]) {
      const refused = await connect(withTicket(elsewhere.url, ticketOf(mine.url)));
      expect([refused.status, refused.code]).toEqual([403, "ticket_invalid"]);
      expect(refused.body).toMatch(/another stream/);
    }
    expect((await take(other.server, mine.id)).status).toBe(404);
  });

  it("keeps the requesting API key out of it", async () => {
    const who = await tenant();
    const { url } = await ticketed(who);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(who.key.key));
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const claims = JSON.stringify(decodeJwt(ticketOf(url)));
    expect(claims).toContain(who.key.id);
    for (const secret of [hex, who.key.key, who.key.key.slice(-8)]) expect(claims).not.toContain(secret);
  });

  it("lets it open nothing else", async () => {
    const who = await tenant();
    const { id, url } = await ticketed(who);
    const authorization = `Bearer ${ticketOf(url)}`;
    for (const path of ["/api/v1/agents", `/api/v1/campaigns/${id}`, `/api/v1/campaigns/${id}/events`])
      expect((await call("GET", path, { headers: { authorization, "x-account-id": who.account } })).status).toBe(401);
    const open = await call("GET", `/api/v1/campaigns/${id}/events?ticket=${ticketOf(url)}`);
    expect([open.status, open.code]).toEqual([401, "token_missing"]);
    expect((await call("GET", "/api/runtime/v1/session", { headers: { authorization } })).status).toBe(401);
  });

  it("makes it different from any other token", async () => {
    const owner = await widgetTenant();
    const { url } = await ticketed(owner);
    const claims = decodeJwt(ticketOf(url)) as JWTPayload & { sub: string };
    const { access_token, refresh_token } = (await page().guest(owner.widgetKey.key)).body;
    const others: Audience[] = [
      "console",
      "login",
      "runtime",
      "transfer",
      "visitor",
      "visitor-refresh",
      "visitor-token",
    ];
    const forged = await Promise.all(
      others.map((audience) => signToken(env.SIGNING_KEYS, audience, claims, 60, Date.now())),
    );
    const [head, body, signature] = ticketOf(url).split(".");
    const changed = [head, btoa(JSON.stringify({ ...claims, account: "other" })).replace(/=+$/, ""), signature].join(
      ".",
    );
    const garbled = await signToken(env.SIGNING_KEYS, "event-stream", { ...claims, holder: {} }, 60, Date.now());
    for (const token of [access_token, refresh_token, ...forged, changed, `${head}.${body}.`, garbled, owner.key.key])
      expect(await answered(withTicket(url, token)), token).toEqual([403, "ticket_invalid"]);
    expect(await answered(url)).toEqual([200, null]);
  });

  it("refuses it once its key is revoked or deleted, or its account disabled", async () => {
    const who = await tenant();
    const { url } = await ticketed(who);
    const key = `/api/v1/api-keys/${who.key.id}`;
    await who.user.patch(key, { disabled: true });
    expect(await answered(url)).toEqual([403, "key_revoked"]);
    await who.user.patch(key, { disabled: false });
    expect(await answered(url)).toEqual([200, null]);
    const account = `/api/admin/v1/accounts/${who.account}`;
    await (await operator()).patch(account, { disabled: true });
    expect(await answered(url)).toEqual([403, "account_closed"]);
    await (await operator()).patch(account, { disabled: false });
    expect(await answered(url)).toEqual([200, null]);
    await who.user.delete(key);
    expect((await answered(url))[0]).toBe(403);
  });

  it("refuses it once the user who requested it has signed out", async () => {
    const who = await tenant();
    const reader = await consoleUser(who.account);
    const { url } = await ticketed(who, reader);
    expect((await reader.post("/api/logout")).status).toBeLessThan(300);
    expect(await answered(url)).toEqual([401, "token_invalid"]);
  });

  it.each([
    ["its key is revoked", (who: Tenant) => who.user.patch(`/api/v1/api-keys/${who.key.id}`, { disabled: true })],
    [
      "its account is disabled",
      async (who: Tenant) => (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { disabled: true }),
    ],
  ])("a stream ticket ends its stream within a heartbeat of the moment that %s", async (_, end) => {
    const who = await tenant();
    const { id, url } = await ticketed(who);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stream = await connect(url);
    await stream.next?.();
    const campaign = env.CAMPAIGN.getByName(`${who.account}/${id}`);
    const beat = () => runInDurableObject(campaign, () => void vi.advanceTimersByTime(15_000));
    await beat();
    expect(await stream.next?.()).toBe(": keep-alive\n\n");
    await end(who);
    await beat();
    let rest = "";
    for (let text = await stream.next?.(); text; text = await stream.next?.()) rest += text;
    expect(rest.replaceAll(": keep-alive\n\n", "")).toBe("");
  });

  it("keeps it out of logs", async () => {
    const { url } = await ticketed(await tenant());
    const logged: string[] = [];
    for (const level of ["log", "warn", "error", "info"] as const)
      vi.spyOn(console, level).mockImplementation((...args) => void logged.push(args.map(String).join(" ")));
    vi.spyOn(env.ACCOUNT_GATE, "getByName").mockImplementation(() => {
      throw new Error("the gate is away");
    });
    expect((await answered(url))[0]).toBe(500);
    vi.restoreAllMocks();
    expect(logged.join("\n")).toContain("the gate is away");
    expect(logged.join("\n")).not.toContain(ticketOf(url));
    expect(logged.join("\n")).not.toContain("ticket=");
  });
});

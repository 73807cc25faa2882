import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountEvents } from "../../../src/kernel/durable/objects.ts";
import { contactsCsv, upload } from "../../campaign/support.ts";
import { BASE, type Client, call, consoleUser, operator, type Tenant, tenant } from "../../support/client.ts";
import { happening, happenings, type ListedEvent, take } from "./support.ts";

interface Ticket {
  url: string;
  expires_at: string;
}

/** The open streams of the current test, which are closed after it. */
const open: { leave(): Promise<void> }[] = [];

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const { leave } of open.splice(0)) await leave();
});

const STREAM = `${BASE}/api/v1/events/stream`;

/** Connects to a stream of events. If it is refused, `status` and `code` say why. */
async function connect(url: string, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(new Request(url, { headers }));
  const code = response.headers.get("x-error-code");
  if (response.status !== 200 || !response.body)
    return { status: response.status, code, response, body: await response.json() };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  /** Returns everything received, once it ends in a complete event that matches. */
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text) || !text.endsWith("\n\n")) {
      const { value, done } = await reader.read();
      if (done) return text;
      text += value;
    }
    return text;
  };
  const leave = () => reader.cancel();
  open.push({ leave });
  return { status: 200, code, response, body: null, until, leave };
}

type Stream = Awaited<ReturnType<typeof connect>>;
const watch = (client: Client, query = "", headers = {}) => connect(STREAM + query, { ...client.headers, ...headers });

/** Returns the events up to the n-th, as the stream has sent them. */
async function upTo({ until, code }: Stream, n: number): Promise<ListedEvent[]> {
  const text = await (until ?? expect.fail(`there is no stream: ${code}`))(new RegExp(`"sequence":${n},`));
  return [...text.matchAll(/event: (.+)\ndata: (.+)\nid: (.+)\n\n/g)].map(([, name, data = "", id]) => {
    const event = JSON.parse(data) as ListedEvent;
    expect([name, id]).toEqual([event.type, event.id]);
    return event;
  });
}
const sequencesUpTo = async (stream: Stream, n: number) => (await upTo(stream, n)).map(({ sequence }) => sequence);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

const ticket = (client: Client) => client.post<Ticket>("/api/v1/events/stream/ticket");
async function ticketed(client: Client): Promise<string> {
  return (await ticket(client)).body.url;
}
const answered = ({ status, code }: Stream) => [status, code];

describe("the event stream of an account", () => {
  it("sends each new event with the same content and id as the list", async () => {
    const { server, user, account } = await tenant();
    await take(account, happenings(1, 3));
    const streams = await Promise.all([watch(server), watch(user)]);
    expect(streams[0]?.response.headers.get("content-type")).toBe("text/event-stream");
    expect(streams[0]?.response.headers.get("x-accel-buffering")).toBe("no");
    expect(streams[0]?.response.headers.get("cache-control")).toBe("no-store");
    await take(account, happenings(4, 5));
    const listed = (await server.get<{ events: ListedEvent[] }>("/api/v1/events?limit=2")).body.events.reverse();
    for (const stream of streams) expect(await upTo(stream, 5)).toEqual(listed);
    expect(await streams[0]?.until?.(/sequence/)).toMatch(/^retry: 2000\n\nevent: /);
  });

  it("first sends the events that were missed after the last event id, without a gap", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 250));
    const stream = await watch(server, "", { "last-event-id": happening(7).id });
    expect(await sequencesUpTo(stream, 250)).toEqual(range(8, 250));
    await take(account, happenings(251, 252));
    expect(await sequencesUpTo(stream, 252)).toEqual(range(8, 252));
  });

  it("sends only the requested types, of old and new events", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 450));
    const query = "?types=tool_run.failed";
    const failed = (from: number, to: number) => range(from, to).filter((n) => n % 3 === 0);
    const late = await watch(server, query, { "last-event-id": happening(2).id });
    const live = await watch(server, query);
    expect(await sequencesUpTo(late, 450)).toEqual(failed(3, 450));
    await take(account, happenings(451, 460));
    await take(account, happenings(461, 465));
    expect(await sequencesUpTo(late, 465)).toEqual(failed(3, 465));
    expect(await sequencesUpTo(live, 465)).toEqual(failed(453, 465));
  });

  it("can be opened by a ticket without a header from any origin, and continues from last_event_id", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 9));
    const { status, body } = await ticket(server);
    expect([status, body.url.startsWith(`${BASE}/api/events/stream?ticket=eyJ`)]).toEqual([200, true]);
    const origin = { origin: "https://shop.example" };
    const stream = await connect(`${body.url}&types=tool_run.failed&last_event_id=${happening(4).id}`, origin);
    expect(stream.response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await sequencesUpTo(stream, 9)).toEqual([6, 9]);
    const again = await connect(`${body.url}&last_event_id=${happening(4).id}`, { "last-event-id": happening(7).id });
    expect(await sequencesUpTo(again, 9)).toEqual([8, 9]);
    const preflight = { "access-control-request-method": "GET", "access-control-request-headers": "last-event-id" };
    const { pathname, search } = new URL(body.url);
    expect((await call("OPTIONS", pathname + search, { headers: { ...origin, ...preflight } })).status).toBe(204);
  });

  it("sends a comment every 15 s", async () => {
    const { server, account } = await tenant();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stream = await watch(server);
    await stream.until?.(/retry/);
    await runInDurableObject(accountEvents(env, account), () => void vi.advanceTimersByTime(15_000));
    expect(await stream.until?.(/keep-alive/)).toBe("retry: 2000\n\n: keep-alive\n\n");
  });
});

describe("the event stream of an account", () => {
  it("refuses unknown types, and an id that is not an event of the account", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 1));
    expect(answered(await watch(server, "?types=call.lost"))).toEqual([400, "invalid_request"]);
    for (const id of ["7", crypto.randomUUID(), happening(2).id]) {
      const refused = await watch(server, "", { "last-event-id": id });
      expect(answered(refused)).toEqual([400, "unknown_event"]);
      expect(refused.body).toMatch(/^Last-Event-ID is not an event of this account/);
    }
  });

  it("allows no more streams than the account's limit", async () => {
    const { server, account } = await tenant();
    await (await operator()).patch(`/api/admin/v1/accounts/${account}`, { quotas: { event_streams: 1 } });
    await watch(server);
    const url = await ticketed(server);
    expect(answered(await watch(server))).toEqual([429, "quota_exceeded"]);
    expect(answered(await connect(url))).toEqual([429, "quota_exceeded"]);
  });

  it("refuses a ticket after a minute and says what to do, while a stream it opened continues", async () => {
    const { server, account } = await tenant();
    const url = await ticketed(server);
    const stream = await connect(url);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 61_000);
    const late = await connect(url);
    expect(answered(late)).toEqual([403, "ticket_expired"]);
    expect(late.body).toMatch(/request a new one.*last_event_id/);
    await take(account, happenings(1, 1));
    expect(await sequencesUpTo(stream, 1)).toEqual([1]);
  });

  it("requires a ticket", async () => {
    expect(answered(await connect(`${BASE}/api/events/stream`))).toEqual([400, "invalid_request"]);
    expect(answered(await connect(`${BASE}/api/events/stream?ticket=`))).toEqual([403, "ticket_invalid"]);
  });
});

describe("the event stream of an account", () => {
  it("sends nothing of another account, and does not know its event ids", async () => {
    const [mine, other] = [await tenant(), await tenant()];
    await take(mine.account, happenings(1, 2));
    const stream = await connect(await ticketed(other.server));
    await take(mine.account, happenings(3, 4));
    await take(other.account, happenings(5, 5));
    const events = await upTo(stream, 1);
    expect(events.map(({ id }) => id)).toEqual([happening(5).id]);
    expect(answered(await watch(other.server, "", { "last-event-id": happening(1).id }))).toEqual([
      400,
      "unknown_event",
    ]);
  });

  it("accepts no ticket of a campaign's stream, and its ticket opens no such stream", async () => {
    const { server } = await tenant();
    const { id } = (await upload(server, contactsCsv(1))).body;
    const ofCampaign = (await server.post<Ticket>(`/api/v1/campaigns/${id}/events/ticket`)).body.url;
    const own = await ticketed(server);
    const [theirs, mine] = [ofCampaign, own].map((url) => new URL(url).searchParams.get("ticket"));
    const refused = await connect(`${BASE}/api/events/stream?ticket=${theirs}`);
    expect(answered(refused)).toEqual([403, "ticket_invalid"]);
    expect(refused.body).toMatch(/another stream/);
    expect(answered(await connect(`${BASE}/api/campaigns/${id}/events?ticket=${mine}`))).toEqual([
      403,
      "ticket_invalid",
    ]);
    const headers = { authorization: `Bearer ${mine}` };
    expect((await call("GET", "/api/v1/events", { headers })).status).toBe(401);
  });

  it("refuses a ticket whose key was revoked, or whose user has signed out", async () => {
    const who = await tenant();
    const reader = await consoleUser(who.account);
    const [byKey, bySession] = [await ticketed(who.server), await ticketed(reader)];
    await who.user.patch(`/api/v1/api-keys/${who.key.id}`, { disabled: true });
    expect(answered(await connect(byKey))).toEqual([403, "key_revoked"]);
    await reader.post("/api/logout");
    expect(answered(await connect(bySession))).toEqual([401, "token_invalid"]);
  });

  it.each([
    ["its key is revoked", (who: Tenant) => who.user.patch(`/api/v1/api-keys/${who.key.id}`, { disabled: true })],
    [
      "its account is disabled",
      async (who: Tenant) => (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { disabled: true }),
    ],
  ])("a stream of events ends once %s", async (_, end) => {
    const who = await tenant();
    const stream = await watch(who.server);
    await stream.until?.(/retry/);
    await end(who);
    expect(await stream.until?.(/never/)).toBe("retry: 2000\n\n");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallRef, Carrier } from "../../../src/phone/carriers/carrier.ts";
import { speaksOf } from "../../../src/records/ledger/call-state.ts";
import { type ReceivedRequest, type StandIn, standIn } from "./stand-in.ts";
import { NOW, order, type Payload } from "./subject.ts";
import { subjects } from "./subjects.ts";

let server: StandIn;
beforeAll(async () => {
  server = await standIn();
});
afterAll(() => server.stop());

const subjectOf = (name: string) => subjects.find((subject) => subject.name === name) ?? expect.fail(name);

function connect(name: string): Carrier {
  const { kind, credentials, variable } = subjectOf(name);
  const env = { [variable]: server.url } as never;
  return kind.connect(credentials as never, { account: "acme", env, fetch, now: () => NOW, timeout_ms: 60_000 });
}

const ref = (call_id: string, provider_call_id: string | null, more: Partial<CallRef> = {}): CallRef => ({
  account: order.account,
  call_id,
  provider_call_id,
  from_number: order.from_number,
  to_number: order.to_number,
  placed_at: NOW,
  connected: false,
  ...more,
});

describe.each(["twilio", "signalwire"])("the list of %s", (name) => {
  /** Returns a call as the list contains it, as long as real ones are. */
  const entry = (sid: string, status: string, answered_by: string | null = null) => ({
    sid,
    status,
    answered_by,
    date_created: "Sat, 21 Nov 2026 09:30:01 +0000",
    subresource_uris: { recordings: "x".repeat(1_500) },
  });
  const strangers = (n: number) => Array.from({ length: n }, (_, i) => entry(`CA-else-${i}`, "completed"));
  /** Plays the carrier's pages. A request for a page without its token is refused. */
  const paged = (...pages: object[][]) => {
    server.play(({ path, query }) => {
      const page = Number(query.get("Page") ?? 0);
      if (page > 0 && query.get("PageToken") !== `PT${page}`) return { status: 400, body: { code: 20001 } };
      const next = page + 1 < pages.length ? `${path}?PageSize=1000&Page=${page + 1}&PageToken=PT${page + 1}` : null;
      return { body: { calls: pages[page] ?? [], next_page_uri: next } };
    });
  };
  const list = async (...refs: CallRef[]) =>
    Object.fromEntries(
      [...((await connect(name).list?.(refs)) ?? [])].map(([id, { status, answered_by, reason }]) => [
        id,
        [status, answered_by, reason].join(" "),
      ]),
    );

  it("finds many calls with one request, on a full page", async () => {
    paged([
      ...strangers(997),
      entry("CA1", "ringing"),
      entry("CA2", "in-progress", "machine_start"),
      entry("CA3", "busy"),
    ]);
    expect(await list(ref("one", "CA1"), ref("two", "CA2"), ref("three", "CA3"))).toEqual({
      one: "ringing  ",
      two: "in-progress machine ",
      three: "busy  busy",
    });
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests as [ReceivedRequest];
    expect([request.method, request.path]).toEqual(["GET", subjectOf(name).originate.path]);
    expect([request.query.get("StartTime>"), request.query.get("PageSize")]).toEqual(["2026-11-21", "1000"]);
    subjectOf(name).authorization(request.headers.authorization ?? "");
  });

  it("a list of calls is read up to the page that has the last wanted call", async () => {
    paged([...strangers(3), entry("CA1", "ringing")], [entry("CA2", "completed")], strangers(2));
    expect(await list(ref("one", "CA1"), ref("two", "CA2"))).toEqual({
      one: "ringing  ",
      two: "completed  completed",
    });
    expect(server.requests).toHaveLength(2);
  });

  it("a list of calls is given up after three pages: calls not found are looked up alone", async () => {
    paged(...Array.from({ length: 9 }, () => strangers(1)));
    expect(await list(ref("one", "CA1"))).toEqual({});
    expect(server.requests).toHaveLength(3);
  });

  it("omits unknown calls, calls without an id, and entries that are not calls", async () => {
    paged([entry("CA1", "ringing"), { junk: true } as never, entry("CA3", "melted")]);
    const refs = [ref("one", "CA1"), ref("gone", "CA2"), ref("odd", "CA3"), ref("unnamed", null)];
    expect(await list(...refs)).toEqual({ one: "ringing  " });
    expect(server.requests).toHaveLength(1);
  });

  it("a list of calls is requested from the day of the oldest, with a margin for clocks", async () => {
    paged([]);
    await list(ref("one", "CA1"), ref("old", "CA2", { placed_at: Date.parse("2026-11-20T00:30:00Z") }));
    expect(server.requests[0]?.query.get("StartTime>")).toBe("2026-11-19");
  });

  it("a carrier's list is requested at the configured address even if the carrier names another address as the next page", async () => {
    server.play(() => ({ body: { calls: [], next_page_uri: "https://evil.example/x?Page=1&PageToken=PT1" } }));
    await list(ref("one", "CA1"));
    const { path } = subjectOf(name).originate;
    expect(server.requests.map((request) => request.path)).toEqual([path, path, path]);
  });
});

describe("the list of plivo", () => {
  it("finds with one request which answered calls still run, and nothing about other calls", async () => {
    server.play(() => ({ body: { api_id: "a", calls: ["p-1", "p-2", "p-else"] } }));
    const statuses = await connect("plivo").list?.([
      ref("talking", "p-1", { connected: true }),
      ref("ringing", "p-2"),
      ref("over", "p-3", { connected: true }),
      ref("unnamed", null, { connected: true }),
    ]);
    expect([...(statuses ?? [])].map(([id, { status }]) => [id, status])).toEqual([["talking", "in-progress"]]);
    expect(server.requests.map(({ path, query }) => [path, query.get("status")])).toEqual([
      ["/v1/Account/MA123/Call/", "live"],
    ]);
  });

  it("finds nothing if there are no calls", async () => {
    server.play(() => ({ status: 404, body: { error: "not found" } }));
    expect(await connect("plivo").list?.([ref("talking", "p-1", { connected: true })])).toEqual(new Map());
  });
});

describe("the call that a report belongs to", () => {
  const read = async (name: string, payload: Payload) => {
    const [event] = await connect(name).parseWebhook(subjectOf(name).webhook(payload));
    return event ?? expect.fail("no report");
  };

  it.each(["twilio", "signalwire", "telnyx", "vonage"])(
    "a report of %s identifies its call by the call's only id",
    async (name) => {
      const event = await read(name, subjectOf(name).events[0]?.[1] ?? {});
      expect(speaksOf(event.provider_call_id, event)).toBe(true);
      expect(speaksOf(null, event)).toBe(true);
      expect(speaksOf("another", event)).toBe(false);
    },
  );

  const reports: [what: string, payload: Payload][] = [
    ["ringing", { Event: "Ring", CallStatus: "ringing" }],
    ["answered", { Event: "StartApp", CallStatus: "in-progress" }],
    ["machine", { Event: "MachineDetection", CallStatus: "in-progress", Machine: "true" }],
    ["hung up", { Event: "Hangup", CallStatus: "completed", HangupCauseCode: "4000" }],
    ["recorded", { RecordUrl: "https://media.plivo.com/r.mp3", RecordingID: "R-1", RecordingDurationMs: "9" }],
  ];
  describe.each(reports)("plivo: %s", (_, payload) => {
    it.each(["RequestUUID", "ALegRequestUUID"])(
      "a report states by its %s which call it is of, even if the call has another id",
      async (field) => {
        const event = await read("plivo", { ...payload, CallUUID: "call-1", [field]: "request-1" });
        expect(speaksOf("request-1", event)).toBe(true);
        expect(speaksOf("call-1", event)).toBe(true);
        expect(speaksOf("request-2", event)).toBe(false);
      },
    );
    it("a report that names no request is accepted, because its signature covers our call's address", async () => {
      expect(speaksOf("request-1", await read("plivo", { ...payload, CallUUID: "call-1" }))).toBe(true);
    });
  });
});

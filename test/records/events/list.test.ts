import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Client, consoleUser, tenant } from "../../support/client.ts";
import { type EventList, happening, happenings, list, sequences, take, timeOf } from "./support.ts";

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** Returns all pages from a position on. */
async function pages(client: Client, query: Record<string, string | number>): Promise<number[]> {
  const all: number[] = [];
  for (let after: string | null | undefined = undefined; after !== null; ) {
    const page: EventList = await list(client, after === undefined ? query : Object.assign({}, query, { after }));
    all.push(...sequences(page));
    after = page.next;
  }
  return all;
}

async function refused(client: Client, query: string) {
  const { status, body, headers, code } = await client.get<{ errors: { field: string; code: string }[] }>(
    `/api/v1/events?${query}`,
    { accept: "application/problem+json" },
  );
  expect(headers.get("content-type")).toContain("problem+json");
  return [status, code, body.errors.map((error) => `${error.field} ${error.code}`)];
}

describe("the list of events", () => {
  it("events are sorted newest first, with `next` leading to older ones", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 25));
    const first = await list(server);
    expect(sequences(first)).toEqual(range(16, 25).reverse());
    expect(first.oldest).toBe(timeOf(1));
    const second = await list(server, { after: first.next ?? "" });
    expect(sequences(second)).toEqual(range(6, 15).reverse());
    const third = await list(server, { after: second.next ?? "" });
    expect([sequences(third), third.next]).toEqual([range(1, 5).reverse(), null]);
  });

  it("events after an event's id are sorted oldest first, with `next` leading to newer ones until it is null", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 25));
    const after = happening(4).id;
    const first = await list(server, { after });
    expect(sequences(first)).toEqual(range(5, 14));
    const second = await list(server, { after: first.next ?? "", limit: 11 });
    expect([sequences(second), second.next]).toEqual([range(15, 25), null]);
    const last = second.events.at(-1)?.id ?? "";
    expect(await list(server, { after: last })).toMatchObject({ events: [], next: null });
    await take(account, happenings(26, 26));
    expect(sequences(await list(server, { after: last }))).toEqual([26]);
  });

  it("contains events as they were reported, with complete URLs", async () => {
    const { server, account } = await tenant();
    await take(account, [happening(1)]);
    const { events } = await list(server);
    expect(events).toEqual([
      {
        id: happening(1).id,
        type: "opt_out.added",
        at: timeOf(1),
        sequence: 1,
        data: {
          phone_number: "+13035550110",
          reason: null,
          conversation_id: null,
          agent_id: null,
          url: "https://switchboard.test/api/v1/do-not-call",
        },
      },
    ]);
  });

  it("contains an event once, however often it is reported", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 3));
    await take(account, happenings(2, 5));
    expect(sequences(await list(server))).toEqual([5, 4, 3, 2, 1]);
  });

  it("the list of events is empty in an account where nothing has happened", async () => {
    const { server, user } = await tenant();
    for (const client of [server, user]) expect(await list(client)).toEqual({ events: [], next: null, oldest: null });
  });

  it("events are filtered by types and time in both directions over all pages", async () => {
    const { server, account } = await tenant();
    const [types, since] = ["tool_run.failed", timeOf(10)];
    await take(account, happenings(1, 40));
    const failed = range(1, 40).filter((n) => n % 3 === 0);
    expect(await pages(server, { types, limit: 4 })).toEqual([...failed].reverse());
    expect(await pages(server, { types: `${types}, opt_out.added`, limit: 7 })).toEqual(range(1, 40).reverse());
    const late = failed.filter((n) => n >= 10);
    expect(await pages(server, { types, since, limit: 3 })).toEqual([...late].reverse());
    expect(await pages(server, { since, limit: 9 })).toEqual(range(10, 40).reverse());
    expect(sequences(await list(server, { types, since, after: happening(1).id, limit: 100 }))).toEqual(late);
  });

  it("contains every event once for any page size and direction", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 60));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 60 }), async (limit, n) => {
        expect(await pages(server, { limit })).toEqual(range(1, 60).reverse());
        const forward = await list(server, {
          limit,
          after: happening(n, n % 3 === 0 ? "tool_run.failed" : undefined).id,
        });
        expect(sequences(forward)).toEqual(range(n + 1, Math.min(60, n + limit)));
        expect(forward.next === null).toBe(n + limit >= 60);
      }),
      { numRuns: 8 },
    );
  });
});

describe("the list of events", () => {
  it("refuses unknown types, and names them", async () => {
    const { server } = await tenant();
    expect(await refused(server, "types=call.ended,call.lost")).toEqual([400, "invalid_request", ["types invalid"]]);
    expect((await server.get("/api/v1/events?types=call.ended,call.lost")).body).toMatch(/no event type call\.lost/);
    expect(await refused(server, "types=")).toEqual([400, "invalid_request", ["types invalid"]]);
  });

  it.each(["limit=0", "limit=101", "limit=x", "since=yesterday", "offset=1"])(
    "the list of events refuses %s",
    async (query) => {
      const { server } = await tenant();
      expect((await refused(server, query))[0]).toBe(400);
    },
  );

  it("refuses a cursor that is forged, cut or changed, and an unknown event's id", async () => {
    const { server, account } = await tenant();
    const noCursor = [400, "unknown_cursor", ["after unknown_cursor"]];
    const noEvent = [400, "unknown_event", ["after unknown_event"]];
    for (const after of ["", "5", "older 5", "WyJvbGRlciIsNV0", crypto.randomUUID()])
      expect(await refused(server, `after=${encodeURIComponent(after)}`), after).toEqual(noCursor);
    expect(await refused(server, `after=${happening(1).id}`)).toEqual(noEvent);
    await take(account, happenings(1, 3));
    const { next } = await list(server, { limit: 1 });
    for (const after of [next?.slice(0, -1), next?.slice(1), `${next}A`])
      expect(await refused(server, `after=${after}`), after).toEqual(noCursor);
    expect(await refused(server, `after=${happening(9).id}`)).toEqual(noEvent);
  });
});

describe("the list of events of an account", () => {
  it("shows no events, ids or cursors of another account", async () => {
    const [mine, other] = [await tenant(), await tenant()];
    await take(mine.account, happenings(1, 5));
    await take(other.account, happenings(6, 7));
    const { next } = await list(mine.server, { limit: 2 });
    expect(sequences(await list(other.server))).toEqual([2, 1]);
    expect(await refused(other.server, `after=${next}`)).toEqual([400, "unknown_cursor", ["after unknown_cursor"]]);
    expect(await refused(other.server, `after=${happening(1).id}`)).toEqual([
      400,
      "unknown_event",
      ["after unknown_event"],
    ]);
    const stranger = await consoleUser("elsewhere");
    const headers = { ...stranger.headers, "x-account-id": mine.account };
    expect((await stranger.get("/api/v1/events", headers)).code).toBe("account_mismatch");
  });
});

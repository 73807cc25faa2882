import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import { sealCursor } from "../../../src/kernel/http/cursor.ts";
import {
  type ConversationCursor,
  type ConversationsFound,
  conversationsStatement,
} from "../../../src/records/ledger/conversation-queries.ts";
import { type Client, tenant } from "../../support/client.ts";
import { haveVolumes, idAt } from "../../support/ledger.ts";
import { BEGAN, endedRow, held, later, ledgerOf, PATH, type Page, putRows } from "./support.ts";

const ids = ({ conversations }: Page) => conversations.map(({ id }) => id);

async function page(client: Client, query = ""): Promise<Page> {
  const { status, body } = await client.get<Page>(`${PATH}${query}`);
  expect(status, query).toBe(200);
  return body;
}

/** Returns every id, page by page. */
async function walk(client: Client, query: string): Promise<string[]> {
  const found: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const part: Page = await page(client, `?${query}${next === "" ? "" : `&after=${next}`}`);
    found.push(...ids(part));
    expect(found.length, "a page that comes again and again").toBeLessThan(1_000);
    ({ next } = part);
  }
  return found;
}

describe("the list of conversations", () => {
  it("returns each conversation once, newest first, even if several began in the same millisecond", async () => {
    const who = await tenant();
    const began = fc.sample(fc.integer({ min: 0, max: 12 }), 60);
    const rows = began.map((ms) => endedRow({ started_at: later(ms) }));
    await putRows(who, rows);
    const key = ({ started_at, id }: (typeof rows)[number]) => started_at + id;
    const expected = rows.toSorted((a, b) => (key(a) < key(b) ? 1 : -1)).map(({ id }) => id);
    for (const limit of [1, 7, 59, 60, 100])
      expect(await walk(who.user, `limit=${limit}`), `${limit}`).toEqual(expected);
    const first = await page(who.user);
    expect([first.limit, ids(first)]).toEqual([10, expected.slice(0, 10)]);
    expect((await page(who.user, "?limit=60")).next).toBeNull();
  });

  it("finds conversations by each filter and by all filters together, page by page", async () => {
    const who = await tenant();
    const [agent, campaign, contact] = ["agent-7", crypto.randomUUID(), crypto.randomUUID()];
    const wanted = {
      agent_id: agent,
      agent_version: 3,
      campaign_id: campaign,
      contact_id: contact,
      phone_number: "+12025550123",
    };
    const rows = Array.from({ length: 3 }, (_, i) =>
      endedRow({ ...wanted, kind: "widget", disposition: "rare", started_at: later(1_000 + i) }),
    );
    await putRows(who, [
      endedRow({ agent_version: 3 }),
      ...rows,
      ...Array.from({ length: 5 }, (_, i) => endedRow({ started_at: later(i) })),
    ]);
    const expected = rows.map(({ id }) => id).reverse();
    const time = `since=${later(1_000)}&until=${later(1_003)}`;
    const filters = [
      `agent_id=${agent}`,
      `agent_id=${agent}&agent_version=3`,
      `campaign_id=${campaign}`,
      `contact_id=${contact}`,
      "phone_number=%2B12025550123",
      "phone_number=+12025550123",
      "kind=widget",
      "disposition=rare",
      time,
    ];
    for (const filter of [...filters, filters.slice(1).join("&").replace("phone_number=+12025550123&", "")]) {
      expect(ids(await page(who.user, `?${filter}`)), filter).toEqual(expected);
      expect(await walk(who.user, `${filter}&limit=1`), filter).toEqual(expected);
    }
    const [one] = rows;
    expect(ids(await page(who.user, `?call_id=${one?.call_id}`))).toEqual([one?.id]);
    for (const none of ["agent_id=nobody", `agent_id=${agent}&agent_version=4`])
      expect(await page(who.user, `?${none}`)).toEqual({ conversations: [], limit: 10, next: null });
  });

  it("refuses a version without its agent, and an invalid version", async () => {
    const { user } = await tenant();
    for (const path of [PATH, `${PATH}/export`]) {
      const { status, body } = await user.get(`${path}?agent_version=3`);
      expect([status, body]).toEqual([400, expect.stringMatching(/^agent_version: requires agent_id/)]);
      for (const wrong of ["0", "x", "live"])
        expect((await user.get(`${path}?agent_id=a&agent_version=${wrong}`)).status, wrong).toBe(400);
    }
  });

  it("includes `since` and excludes `until`, in any time zone", async () => {
    const who = await tenant();
    const id = await held(who);
    const found = async (query: string) => ids(await page(who.user, `?${query}`));
    expect(await found(`since=${BEGAN}`)).toEqual([id]);
    expect(await found(`since=${later(1)}`)).toEqual([]);
    expect(await found(`until=${BEGAN}`)).toEqual([]);
    expect(await found(`until=${later(1)}`)).toEqual([id]);
    expect(await found("since=2026-03-04T12:00:00%2B02:00")).toEqual([id]);
  });

  it("continues after a page whose last conversation was deleted", async () => {
    const who = await tenant();
    const rows = [0, 1, 2].map((ms) => endedRow({ started_at: later(ms) }));
    await putRows(who, rows);
    const first = await page(who.user, "?limit=2");
    await ledgerOf(who).removeConversations(ids(first));
    expect(ids(await page(who.user, `?after=${first.next}`))).toEqual([rows[0]?.id]);
  });

  it("refuses a cursor that is forged, cut, or of another account or list, and names `after`", async () => {
    const [who, other] = [await tenant(), await tenant()];
    for (const one of [who, other]) await putRows(one, [endedRow(), endedRow()]);
    const next = (await page(who.user, "?limit=1")).next ?? "";
    expect((await page(who.user, `?after=${next}`)).conversations).toHaveLength(1);
    const [text = "", signature = ""] = next.split(".");
    const theirs = (await page(other.user, "?limit=1")).next ?? "";
    const forged = btoa(JSON.stringify([BEGAN, endedRow().id])).replaceAll("=", "");
    const ofAnother = await sealCursor(env, { account: who.account, list: "calls" }, [BEGAN, endedRow().id]);
    const wrong = [
      "",
      "x",
      endedRow().id,
      text,
      next.slice(0, -1),
      `${forged}.${signature}`,
      `${next}.x`,
      theirs,
      ofAnother,
    ];
    for (const after of wrong) {
      const { status, code, body } = await who.user.get(`${PATH}?after=${after}`);
      expect([status, code, JSON.stringify(body)], after).toEqual([
        400,
        "unknown_cursor",
        expect.stringContaining("after"),
      ]);
    }
  });
});

describe("the list of conversations over several volumes", () => {
  const DAYS: [string, string, string] = ["2026-03-01", "2026-03-04", "2026-03-07"];

  it("conversations are listed once each, even if one began in the days of the next volume", async () => {
    const who = await tenant();
    await haveVolumes(who, DAYS);
    const at = (day: number, hours: number) => new Date(Date.UTC(2026, 2, day, hours)).toISOString();
    const placed = fc.sample(
      fc.record({ day: fc.integer({ min: 1, max: 8 }), rang: fc.integer({ min: 0, max: 23 }) }),
      60,
    );
    const rows = placed.map(({ day, rang }) => {
      return endedRow({ call_id: idAt(at(day, 20)), started_at: at(day, 20 + rang) });
    });
    await putRows(who, rows);
    const key = ({ started_at, id }: (typeof rows)[number]) => started_at + id;
    const expected = rows.toSorted((a, b) => (key(a) < key(b) ? 1 : -1));
    for (const limit of [1, 7, 100])
      expect(await walk(who.user, `limit=${limit}`), `${limit}`).toEqual(expected.map(({ id }) => id));
    const [since, until] = [at(3, 22), at(5, 1)];
    const within = expected.filter(({ started_at }) => started_at >= since && started_at < until);
    expect(await walk(who.user, `since=${since}&until=${until}&limit=2`)).toEqual(within.map(({ id }) => id));
    const [one] = rows;
    expect(ids(await page(who.user, `?call_id=${one?.call_id}`))).toEqual([one?.id]);
  });
});

describe("the conversations of a volume", () => {
  const part = { after: null, limit: 2, reads: 5 };

  it("a volume's conversations are found by the index of the most selective filter", async () => {
    const volume = ledgerVolume(env, `t-${crypto.randomUUID()}`, BEGAN.slice(0, 10));
    const rows = Array.from({ length: 12 }, (_, i) =>
      endedRow({ call_id: idAt(BEGAN), disposition: i === 1 ? "rare" : "booked", started_at: later(i) }),
    );
    await volume.report(rows.map((row) => ({ part: "conversation", row })));
    const filter = { agent_id: "agent-1", disposition: "rare" };
    let after: ConversationCursor | null = null;
    const pages: string[][] = [];
    do {
      const found = (await volume.findConversations(filter, { after, limit: 2, reads: 5 })) as ConversationsFound;
      pages.push(found.rows.map(({ id }) => id));
      after = found.stopped;
    } while (after !== null);
    expect(pages).toEqual([[], [], [rows[1]?.id]]);
  });

  it.each([
    [{ call_id: "x", agent_id: "x", kind: "call" }, "call"],
    [{ contact_id: "x", campaign_id: "x" }, "contact"],
    [{ phone_number: "x", agent_id: "x", disposition: "x" }, "phone"],
    [{ campaign_id: "x", agent_id: "x" }, "campaign"],
    [{ agent_id: "x", kind: "call" }, "agent"],
    [{ agent_id: "x", agent_version: 3, kind: "call" }, "version"],
    [{ disposition: "x", kind: "call" }, "disposition"],
    [{ kind: "call" }, "kind"],
    [{}, "started"],
  ] as const)("a volume's conversations of %j are read by one index, in its order", async (filter, index) => {
    const volume = ledgerVolume(env, `t-${crypto.randomUUID()}`, BEGAN.slice(0, 10));
    await volume.report([{ part: "conversation", row: endedRow({ call_id: idAt(BEGAN) }) }]);
    const cursor = { started_at: BEGAN, id: "x" };
    const windows = [{}, { since: BEGAN }, { until: BEGAN }, { since: BEGAN, until: later(1) }];
    for (const window of windows) {
      for (const after of [null, cursor]) {
        const { sql, values } = conversationsStatement(
          Object.assign({}, filter, window),
          Object.assign({}, part, { after }),
        );
        const plan = await runInDurableObject(volume as unknown as DurableObjectStub, (_, { storage }) =>
          storage.sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).toArray(),
        );
        const steps = plan.map(({ detail }) => detail).join("; ");
        expect(steps).toContain(`INDEX conversations_${index}`);
        expect(steps).not.toContain("TEMP B-TREE");
        expect(steps).not.toContain("MATERIALIZE");
      }
    }
  });
});

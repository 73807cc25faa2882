import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, type Client, tenant } from "../../support/client.ts";
import { BEGAN, endedRow, held, later, PATH, type Page, putRows } from "./support.ts";

const ids = ({ conversations }: Page) => conversations.map(({ id }) => id);

async function page(client: Client, query = ""): Promise<Page> {
  const { status, body } = await client.get<Page>(`${PATH}${query}`);
  expect(status, query).toBe(200);
  return body;
}

/** Every id, page by page. */
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

describe("conversations: list", () => {
  it("pages through all of them newest first, each once, also those that began in the same millisecond", async () => {
    const who = await tenant();
    const began = fc.sample(fc.integer({ min: 0, max: 12 }), 60);
    const rows = began.map((ms) => endedRow({ started_at: later(ms) }));
    await putRows(who, rows);
    const key = ({ started_at, id }: (typeof rows)[number]) => started_at + id;
    const expected = rows.toSorted((a, b) => (key(a) < key(b) ? 1 : -1)).map(({ id }) => id);
    for (const limit of [1, 7, 59, 60, 100])
      expect(await walk(who.user, `limit=${limit}`), `${limit}`).toEqual(expected);
    const first = await page(who.user);
    expect([first.limit, ids(first), first.next]).toEqual([10, expected.slice(0, 10), expected[9]]);
    expect((await page(who.user, "?limit=60")).next).toBeNull();
  });

  it("finds by each filter alone and by all at once, page by page", async () => {
    const who = await tenant();
    const [agent, campaign, contact] = ["agent-7", crypto.randomUUID(), crypto.randomUUID()];
    const wanted = { agent_id: agent, campaign_id: campaign, contact_id: contact, phone_number: "+12025550123" };
    const rows = Array.from({ length: 3 }, (_, i) =>
      endedRow({ ...wanted, kind: "widget", disposition: "rare", started_at: later(1_000 + i) }),
    );
    await putRows(who, [...rows, ...Array.from({ length: 5 }, (_, i) => endedRow({ started_at: later(i) }))]);
    const expected = rows.map(({ id }) => id).reverse();
    const time = `since=${later(1_000)}&until=${later(1_003)}`;
    const filters = [
      `agent_id=${agent}`,
      `campaign_id=${campaign}`,
      `contact_id=${contact}`,
      "phone_number=%2B12025550123",
      "phone_number=+12025550123",
      "kind=widget",
      "disposition=rare",
      time,
    ];
    for (const filter of [...filters, filters.join("&").replace("phone_number=+12025550123&", "")]) {
      expect(ids(await page(who.user, `?${filter}`)), filter).toEqual(expected);
      expect(await walk(who.user, `${filter}&limit=1`), filter).toEqual(expected);
    }
    const [one] = rows;
    expect(ids(await page(who.user, `?call_id=${one?.call_id}`))).toEqual([one?.id]);
    expect(await page(who.user, "?agent_id=nobody")).toEqual({ conversations: [], limit: 10, next: null });
  });

  it("takes `since` inclusively and `until` exclusively, in any zone", async () => {
    const who = await tenant();
    const id = await held(who);
    const found = async (query: string) => ids(await page(who.user, `?${query}`));
    expect(await found(`since=${BEGAN}`)).toEqual([id]);
    expect(await found(`since=${later(1)}`)).toEqual([]);
    expect(await found(`until=${BEGAN}`)).toEqual([]);
    expect(await found(`until=${later(1)}`)).toEqual([id]);
    expect(await found("since=2026-03-04T12:00:00%2B02:00")).toEqual([id]);
  });

  it("is read by the index of its rarest filter, whatever else is asked for", async () => {
    const who = await tenant();
    const cursor = `after=${await held(who)}`;
    const [since, until] = ["since=2026-01-01T00:00:00Z", "until=2027-01-01T00:00:00Z"];
    const indexes: [filter: string, index: string][] = [
      ["agent_id=x", "agent"],
      ["campaign_id=x", "campaign"],
      ["contact_id=x", "contact"],
      ["call_id=x", "call"],
      ["kind=call", "kind"],
      ["disposition=x", "disposition"],
      ["phone_number=x", "phone"],
    ];
    const beside = [[], [since], [until], [cursor], [since, until], [cursor, since], [cursor, since, until]];
    const among = indexes
      .filter(([, index]) => index !== "kind")
      .map(([filter, index]) => [`${filter}&kind=call`, index]);
    for (const [filter, index] of [...indexes, ...among]) {
      for (const more of beside) {
        const query = `?${[filter, ...more].join("&")}`;
        const [plan = ""] = await planOf(who.user, query);
        expect(plan, query).toMatch(new RegExp(`INDEX conversations_account_${index} \\(account=\\? AND \\w+=\\?`));
        if (more.length > 0) expect(plan, query).toMatch(/started_at[<>]\?/);
      }
    }
  });
});

/** How D1 goes about a list. */
async function planOf({ headers }: Client, query: string): Promise<string[]> {
  const statements: string[] = [];
  const prepare = (statement: string) => {
    statements.push(statement);
    return env.DB.prepare(statement);
  };
  const DB = { prepare, batch: (batch: D1PreparedStatement[]) => env.DB.batch(batch) };
  const answer = await app.fetch(new Request(`${BASE}${PATH}${query}`, { headers }), { ...env, DB } as typeof env);
  expect(answer.status, query).toBe(200);
  const statement = statements.at(-1) ?? "";
  const parameters = Array.from({ length: statement.split("?").length - 1 }, () => "1");
  const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`)
    .bind(...parameters)
    .all<{ detail: string }>();
  return plan.results.map(({ detail }) => detail);
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContactListing, MOST_SEARCHED_ROWS } from "../../src/campaign/store/contact-listing.ts";
import { listContacts } from "../../src/campaign/streams/contact-list.ts";
import { numberPrefix, rangesOf } from "../../src/campaign/streams/contact-search.ts";
import { tenant } from "../support/client.ts";
import { explained } from "./query-plan.ts";
import { type Campaign, type Contact, contactOf, contactsCsv, ready, started, until, upload } from "./support.ts";
import { CALM, draft, inObject, World } from "./world/virtual-world.ts";

interface Page {
  contacts: Contact[];
  total: number | null;
  next: string | null;
  limit: number;
  offset: number;
}

const PEOPLE = [
  ["+13035550110", "Ada Lovelace", "Berlin"],
  ["+13035550211", "Grace Hopper", 'The "Navy", Yard'],
  ["+4930901820", "Jürgen ÄRGER", "Köln"],
  ["+13035550312", "Alan", "back\\slash 100%_"],
  ["+4930901821", "ada", "Lisbon"],
];
const CSV = `phone_number,name,city\n${PEOPLE.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n")}\n`;

async function listed(csv = CSV) {
  const { server } = await tenant();
  const { body } = await upload(server, csv);
  const path = `/api/v1/campaigns/${body.id}/contacts`;
  const page = async (query: string) => (await server.get<Page>(`${path}?${query}`)).body;
  const numbers = async (query: string) => (await page(query)).contacts.map(({ phone_number }) => phone_number);
  return { server, path, page, numbers, campaign: `/api/v1/campaigns/${body.id}` };
}

const places = (...at: number[]) => at.map((i) => PEOPLE[i]?.[0]);

describe("searching contacts", () => {
  it("finds text in any variable and in the number, ignoring case and punctuation", async () => {
    const { page, numbers } = await listed();
    const search = (text: string) => numbers(`search=${encodeURIComponent(text)}`);
    expect(await search("ADA")).toEqual(places(0, 4));
    expect(await search("jürgen ärger")).toEqual(places(2));
    expect(await search("ÄRG")).toEqual(places(2));
    expect(await search("ß")).toEqual([]);
    expect(await search('"navy"')).toEqual(places(1));
    expect(await search("back\\slash")).toEqual(places(3));
    expect(await search("100%_")).toEqual(places(3));
    expect(await search("%")).toEqual(places(3));
    expect(await search("55502")).toEqual(places(1));
    expect(await search('Lovelace","Berlin')).toEqual([]);
    expect(await page("search=ada")).toMatchObject({ total: 2, limit: 100, offset: 0, next: null });
  });

  it("finds the beginning of a number in common notations", async () => {
    const { page, numbers } = await listed();
    expect(await numbers("search=%2B4930")).toEqual(places(2, 4));
    expect(await numbers("search=+49%20(30)%20901820")).toEqual(places(2));
    expect(await page("search=%2B1303&limit=2")).toMatchObject({ total: 3, contacts: [{}, {}] });
    expect(await numbers("search=%2B0")).toEqual([]);
  });

  it("finds a contact by its number", async () => {
    const { page, server, path, campaign } = await listed();
    const { id } = await contactOf(server, campaign, 2);
    expect(await page("phone_number=%2B4930901820")).toMatchObject({ contacts: [{ id }], total: 1, next: null });
    expect(await page("phone_number=+4930901820&search=rgen")).toMatchObject({ total: 1 });
    expect(await page("phone_number=%2B4930901820&search=ada")).toMatchObject({ contacts: [], total: 0 });
    expect(await page(`phone_number=%2B4930901820&after=${id}`)).toMatchObject({ contacts: [] });
    expect(await page("phone_number=%2B4930901899")).toMatchObject({ contacts: [], total: 0 });
    expect((await server.get(`${path}?phone_number=4930`)).status).toBe(400);
  });

  it("returns a cursor with each page until the last one", async () => {
    const { page } = await listed(contactsCsv(25));
    for (const query of ["", "&status=pending", "&search=person", "&search=%2B1303"]) {
      const seen: string[] = [];
      for (let next: string | null = ""; next !== null; ) {
        const one: Page = await page(`limit=10${query}${next && `&after=${next}`}`);
        seen.push(...one.contacts.map(({ id }) => id));
        next = one.next;
      }
      expect(new Set(seen).size, query).toBe(25);
      expect(seen, query).toHaveLength(25);
    }
  });

  it("filters by outcome, also together with status", async () => {
    const who = await tenant();
    const csv = `phone_number\n${["01", "02", "01", "10", "01"].map((n, i) => `+13032000${i}${n}`).join("\n")}\n`;
    const path = await started({ ...who, ...(await ready(who)) }, csv);
    await until(
      async () => (await who.server.get<Campaign>(path)).body,
      ({ status }) => status === "completed",
    );
    const page = async (query: string) => (await who.server.get<Page>(`${path}/contacts?${query}`)).body;
    const busy = ["+13032000001", "+13032000201", "+13032000401"];
    const numbers = ({ contacts }: Page) => contacts.map(({ phone_number }) => phone_number);
    const all = await page("outcome=busy");
    expect([all.total, numbers(all)]).toEqual([3, busy]);
    expect(numbers(await page("outcome=busy&limit=1&offset=1"))).toEqual([busy[1]]);
    expect(numbers(await page("outcome=busy&search=0002"))).toEqual([busy[1]]);
    expect(numbers(await page("outcome=answered"))).toEqual(["+13032000310"]);
    expect((await page("outcome=busy&status=completed")).total).toBe(0);
    await who.server.post(`${path}/redial`, { outcomes: ["busy"] });
    await who.server.post(`${path}/contacts/${all.contacts[0]?.id}/cancel`);
    expect(numbers(await page("outcome=busy"))).toEqual(busy);
    expect(numbers(await page("outcome=busy&status=pending"))).toEqual(busy.slice(1));
    expect(await page("outcome=busy&status=failed")).toMatchObject({ total: 0, contacts: [] });
  });
});

describe("an invalid search for contacts", () => {
  it.each(["search=", "search=%20", `search=${"x".repeat(101)}`, "outcome=nonsense", "after=x", "phone_number=1"])(
    "an invalid search for contacts is refused: %s",
    async (query) => {
      const { server, path } = await listed();
      expect((await server.get(`${path}?${query}`)).status).toBe(400);
    },
  );

  it.each(["ada", "%2B1303", "none of them"])(
    "a search is refused with an offset and search=%s, which would be ignored",
    async (text) => {
      const { server, path } = await listed();
      const answer = await server.get(`${path}?search=${text}&offset=1`);
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.stringContaining("offset: cannot be combined with search"),
      ]);
      expect((await server.get(`${path}?search=${text}&offset=0`)).status).toBe(200);
    },
  );
});

describe("ranges for a number prefix", () => {
  it("contain exactly the numbers with the prefix", () => {
    const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);
    const property = fc.property(digits, fc.nat(14), digits, (number, cut, other) => {
      const prefix = `+${number.slice(0, cut + 1)}`;
      // A trunk zero after the calling code isn't part of the number's digits.
      fc.pre(numberPrefix(prefix) === prefix);
      const ranges = rangesOf({ search: prefix }) ?? [];
      const isIn = (one: string) => ranges.some(([from, to]) => Number(one) >= from && Number(one) <= to);
      expect(isIn(number)).toBe(true);
      expect(isIn(other)).toBe(`+${other}`.startsWith(prefix));
    });
    fc.assert(property);
    expect(numberPrefix("+44 (0)7911 123456")).toBe("+447911123456");
    expect([numberPrefix("+1 (303) 5-5"), numberPrefix("+1a"), numberPrefix("303")]).toEqual(["+130355", null, null]);
  });
});

describe("searching a large list", () => {
  it("reads a bounded number of rows per request, and returns a cursor", async () => {
    await inObject((storage) => {
      const contacts = MOST_SEARCHED_ROWS + 10_000;
      const store = draft({ ...CALM, contacts }, new World(CALM), storage);
      storage.sql.exec(`UPDATE contacts SET variables = '["Zoe"]' WHERE id = ?`, contacts);
      const first = listContacts(store, { search: "zoe", limit: 10, offset: 0 });
      expect(first).toMatchObject({ contacts: [], total: null });
      const second = listContacts(store, { search: "zoe", limit: 10, offset: 0, after: first.next ?? "" });
      expect(second).toMatchObject({ contacts: [{ phone_number: expect.any(String) }], total: null, next: null });
      expect(listContacts(store, { search: "+1202", limit: 3, offset: 0 })).toMatchObject({
        total: null,
        contacts: { length: 3 },
      });
    });
  });

  it("uses only indexes for numbers and outcomes", async () => {
    await inObject((storage) => {
      draft({ ...CALM, contacts: 100 }, new World(CALM), storage);
      const { plans, sql } = explained(storage);
      const listing = new ContactListing(sql);
      listing.inRanges([[1, 2]], {}, 10);
      listing.page({ outcome: "busy", limit: 10, offset: 0 });
      listing.page({ outcome: "busy", status: "failed", limit: 10, offset: 0, after: 5 });
      listing.countOutcome({ outcome: "busy" }, 10);
      expect(listing.isLast(100)).toBe(true);
      expect(plans.length).toBeGreaterThan(8);
      expect(plans.filter((step) => /SCAN contacts/.test(step))).toEqual([]);
      expect(plans.filter((step) => /contacts_outcome/.test(step))).toHaveLength(7);
      // The index's runs of an outcome are merged in order instead of being sorted.
      expect(plans).toContain("MERGE (UNION ALL)");
    });
  });
});

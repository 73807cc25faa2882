import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeWebhook, leadsTo, readPages, shownAddress } from "../../../src/phone/carriers/numbers/numbers.ts";

const ID = "019a5c3e-1b2c-7f00-8e11-6d0d7a9c4b10";
const OTHER = "019a5c3e-1b2c-7f00-8e11-6d0d7a9c4b11";
const PLACE = "https://switchboard.example/api/telephony/inbound/twilio/acme";
const target = { address: `${PLACE}?credentials=${ID}`, credentials_id: ID };

describe("an address configured at a carrier", () => {
  it.each([
    target.address,
    PLACE,
    `${target.address}#rc=3&rp=all`,
    target.address.replace("switchboard.example", "SWITCHBOARD.example"),
    target.address.replace("switchboard.example", "switchboard.example:443"),
    `${PLACE}?credentials=${ID.toUpperCase()}`,
  ])("leads to the service: %s", (address) => {
    expect(leadsTo(address, target)).toBe(true);
  });

  it.each([
    null,
    "",
    "switchboard",
    `${PLACE}?credentials=${OTHER}`,
    `${PLACE}?credentials=${ID}&credentials=${OTHER}`,
    `${PLACE}?credentials=`,
    `${PLACE}/`,
    target.address.replace("https:", "http:"),
    target.address.replace("acme", "globex"),
    target.address.replace("twilio", "telnyx"),
    target.address.replace("switchboard.example", "switchboard.example.evil.example"),
    target.address.replace("switchboard.example", "switchboard.example:8443"),
    target.address.replace("https://", "https://user:pass@"),
    `https://evil.example/?x=${target.address}`,
    `https://evil.example/#${target.address}`,
  ])("an address at a carrier does not lead to the service: %s", (address) => {
    expect(leadsTo(address, target)).toBe(false);
  });

  it("an address configured elsewhere never counts as ours", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        expect(leadsTo(address, target)).toBe(false);
      }),
    );
  });
});

describe("the shown form of an address", () => {
  it("hides passwords and the values of query parameters", () => {
    expect(shownAddress("https://user:pass@old.example:8443/voice/in?token=s3cret&a=1&token=2#frag")).toBe(
      "https://***@old.example:8443/voice/in?token=***&a=***",
    );
    expect(shownAddress("not an address")).toBe("an invalid address");
  });

  it("never contains a secret of the user info or query, and is one short line", () => {
    const secret = fc.stringMatching(/^[A-Z]{12}$/);
    const place = fc.constantFrom("q=", "a=1&b=", "x=1&x=");
    fc.assert(
      fc.property(fc.webUrl(), secret, secret, place, (address, user, value, before) => {
        const url = new URL(address);
        url.username = user;
        url.password = value;
        url.search = `?${before}${value}`;
        const shown = shownAddress(url.href);
        expect(shown).not.toContain(user);
        expect(shown).not.toContain(value);
        expect(shown.length).toBeLessThanOrEqual(300);
        expect(shown).not.toMatch(/\s/);
      }),
    );
  });

  it("every verdict on an address is a whole sentence", () => {
    const method = fc.constantFrom("GET", "POST", "post", null, undefined);
    const url = fc.oneof(fc.webUrl(), fc.constantFrom(null, undefined, "", target.address));
    fc.assert(
      fc.property(url, method, fc.constantFrom(null, "by the application 7"), (at, how, by) => {
        const { ok, detail } = judgeWebhook({ url: at, method: how }, target, by);
        expect(ok).toBe(at === target.address && how?.toUpperCase() === "POST");
        expect(detail).toMatch(/^[A-Z].*\.$/);
      }),
    );
  });
});

describe("a carrier's list, page by page", () => {
  const number = (i: number) => ({ e164: `+1303${String(5_550_000 + i)}`, capabilities: [] });

  it("a carrier's list is complete on any paging, unless it reports that a bound was reached", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 60 }),
        fc.boolean(),
        async (sizes, repeat) => {
          let produced = 0;
          let pages = 0;
          const { numbers, truncated } = await readPages(
            0,
            () => 0,
            async (page) => {
              pages++;
              const rows = Array.from({ length: sizes[page] ?? 0 }, () => number(produced++));
              const junk = [{ e164: "72345", capabilities: [] }, ...(repeat && rows[0] ? [rows[0]] : [])];
              return { numbers: [...rows, ...junk], next: page + 1 < sizes.length ? page + 1 : null };
            },
          );
          const all = sizes.reduce((sum, size) => sum + size, 0);
          expect(new Set(numbers.map(({ e164 }) => e164)).size).toBe(numbers.length);
          expect(pages).toBeLessThanOrEqual(50);
          if (truncated) expect(numbers.length === 1_000 || pages === 50).toBe(true);
          else expect(numbers.length).toBe(all);
          expect(numbers.map(({ e164 }) => e164)).toEqual(
            Array.from({ length: numbers.length }, (_, i) => number(i).e164),
          );
        },
      ),
    );
  });
});

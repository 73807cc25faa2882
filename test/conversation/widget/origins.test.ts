import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admits, allowlistEntry, canonicalOrigin, InvalidOrigin } from "../../../src/account/visitors/origins.ts";

const labelChars = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789-");
const label = fc
  .array(labelChars, { minLength: 1, maxLength: 8 })
  .map((chars) => chars.join("").replace(/^-|-$/g, "x"))
  .filter((text) => !/^\d+$/.test(text) && !text.startsWith("xn--") && !/^..--/.test(text));
const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => [...labels, "example"].join("."));
const scheme = fc.constantFrom("http", "https");
const port = fc.integer({ min: 1, max: 65_535 }).filter((n) => n !== 80 && n !== 443);
const origin = fc.tuple(scheme, host, fc.option(port)).map(([s, h, p]) => `${s}://${h}${p === null ? "" : `:${p}`}`);
const isPublicSuffix = (name: string) => ["com", "co.uk", "example", "github.io"].includes(name);
const entry = (text: string) => allowlistEntry(text, isPublicSuffix);

function randomCase(text: string, flips: boolean[]): string {
  return [...text].map((char, i) => (flips[i % flips.length] ? char.toUpperCase() : char)).join("");
}

describe("origins", () => {
  it("an origin has one canonical form in any case, with or without the default port", () => {
    fc.assert(
      fc.property(origin, fc.array(fc.boolean(), { minLength: 1 }), (text, flips) => {
        expect(canonicalOrigin(text)).toBe(text);
        expect(canonicalOrigin(randomCase(text, flips))).toBe(text);
        expect(entry(randomCase(text, flips))).toBe(text);
        if (/:\d+$/.test(text)) return;
        const withPort = `${text}:${text.startsWith("https") ? 443 : 80}`;
        expect(canonicalOrigin(withPort)).toBe(text);
        expect(entry(withPort)).toBe(text);
      }),
    );
  });

  it("admit exactly the origins on the list", () => {
    fc.assert(
      fc.property(fc.array(origin, { maxLength: 4 }), origin, (list, requests) => {
        expect(admits(list, requests)).toBe(list.includes(requests));
      }),
    );
  });

  it("admit exactly the subdomains of the same scheme and port by a wildcard", () => {
    fc.assert(
      fc.property(scheme, host, fc.option(port), host, port, (s, domain, p, other, otherPort) => {
        const end = p === null ? "" : `:${p}`;
        const list = [entry(`${s}://*.${domain}${end}`)];
        expect(admits(list, `${s}://a.${domain}${end}`)).toBe(true);
        expect(admits(list, `${s}://${other.replace(/\.example$/, "")}.${domain}${end}`)).toBe(true);
        expect(admits(list, `${s}://${domain}${end}`)).toBe(false);
        expect(admits(list, `${s}://evil${domain}${end}`)).toBe(false);
        expect(admits(list, `${s}://a.${domain}.evil.test${end}`)).toBe(false);
        expect(admits(list, `${s === "http" ? "https" : "http"}://a.${domain}${end}`)).toBe(false);
        if (otherPort !== p) expect(admits(list, `${s}://a.${domain}:${otherPort}`)).toBe(false);
      }),
    );
  });

  it("never fail, whatever a caller sends", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          const canonical = canonicalOrigin(text);
          if (canonical !== null) expect(canonicalOrigin(canonical)).toBe(canonical);
          try {
            const stored = entry(text);
            expect(entry(stored)).toBe(stored);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidOrigin);
          }
        },
      ),
    );
  });

  it.each([
    "null",
    "",
    "file://",
    "https://",
    "https://a b",
    "https://shop.example/",
    "https://u@shop.example",
    "ws://x",
  ])("origins reject %j, which is not a web origin", (text) => expect(canonicalOrigin(text)).toBeNull());

  it.each([
    ["shop.example", "https://shop.example"],
    ["shop.example:8080/cart", "https://shop.example:8080"],
    ["https://shop.example/", "https://shop.example"],
    ["https://Shop.example/cart?x=1", "https://shop.example"],
    ["https://user@shop.example", "https://shop.example"],
    ["http://*.shop.example/cart", "http://*.shop.example"],
    ["ftp://shop.example", "https://shop.example"],
    ["*", "https://shop.example"],
    ["https://*", "https://shop.example"],
    ["https://shop.*", "https://shop.example"],
    ["https://a.*.shop.example", "https://shop.example"],
    ["https://.shop.example", "https://shop.example"],
    ["https://www..shop.example:8443", "https://www.shop.example:8443"],
    ["https://*..shop.example", "https://*.shop.example"],
    ["https://shop.example..", "https://shop.example."],
    ["https://...", "https://shop.example"],
    ["", "https://shop.example"],
  ])("origins reject %j and suggest %s", (text, instead) => {
    expect(() => entry(text)).toThrow(`use ${instead}`);
  });

  it.each(["https://*.com", "https://*.co.uk", "https://*.github.io", "https://*.127.0.0.1", "https://*.[::1]"])(
    "origins reject %s, which is too broad",
    (text) => expect(() => entry(text)).toThrow("too broad"),
  );

  it("keep international names and addresses as a browser sends them", () => {
    expect(entry("https://Bücher.example")).toBe("https://xn--bcher-kva.example");
    expect(entry("https://*.bücher.example:8443")).toBe("https://*.xn--bcher-kva.example:8443");
    expect(entry("http://[::1]:3000")).toBe("http://[::1]:3000");
    expect(entry("http://127.0.0.1:3000")).toBe("http://127.0.0.1:3000");
  });
});

import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildRequest } from "../../../src/agent/tools/run/build-request.ts";
import { type HttpConfig, parseHttpConfig } from "../../../src/agent/tools/run/config.ts";
import { FillRefused, type Values } from "../../../src/agent/tools/run/fill.ts";
import { MASK, maskOf } from "../../../src/agent/tools/run/mask.ts";

const seed = Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED);

const HOSTILE = [
  ..."/ \\ ? # & = @ : % ; + . .. ../ ..\\ // /. %2e %2E%2e %252e%252e .%2e %2f %5c %00 %0d%0a".split(" "),
  "\0",
  "\r\n",
  "\n",
  "\t",
  " ",
  '"',
  '","admin":true,"x":"',
  "{a}",
  "{{stripe.secret_key}}",
  "{",
  "}",
  "é",
  "😀",
  "\ud800",
  "\u2028",
  "http://evil.example/",
  "@evil.example",
  "evil.example:22",
  "\r\nX-Evil: 1",
  "%u002e",
  "．．",
  "/../../admin",
  "a%2f..%2fb",
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 5 })
  .map((pieces) => pieces.join(""));

function configOf(config: Record<string, unknown>): HttpConfig {
  const parsed = parseHttpConfig(config);
  if ("faults" in parsed) throw new Error(parsed.faults.join("; "));
  return parsed.config;
}

const stored: Record<string, unknown> = { shop: "shop.example.com", secret: "never-expanded" };
const valuesOf = (args: Record<string, unknown>): Values => ({ args, stored: (_, field) => stored[field] });

/** Returns the request that these arguments make; null if they are refused. */
function requestOf(config: HttpConfig, args: Record<string, unknown>) {
  try {
    return buildRequest(config, valuesOf(args)).out;
  } catch (error) {
    if (error instanceof FillRefused) return null;
    throw error;
  }
}

const CONFIG = configOf({
  method: "POST",
  url: "https://{{i.shop}}/v1/{a}/sub/x-{a}.json?fixed=1&q={a}",
  query: { more: "v {a}" },
  body: { whole: "{a}", part: "say {a}.", nested: [{ deep: "{a}" }], fixed: true },
});

/** Does everything that a receiver might do to a path before it looks for dot segments in it. */
function decodedFully(path: string): string[] {
  const seen = [path];
  for (let text = path, i = 0; i < 10; i++) {
    const next = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === text) break;
    seen.push(next);
    text = next;
  }
  return seen;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\\\0-\x1f\x7f]|(^|\/)\.{1,2}(\/|$)/;

describe("an argument filled into a request", () => {
  it("never changes the host, the path's structure, the query's parameters or the shape of JSON", () => {
    let created = 0;
    fc.assert(
      fc.property(hostile, (a) => {
        const out = requestOf(CONFIG, { a });
        if (out === null) return;
        created++;
        const url = new URL(out.url);
        expect([url.origin, url.username, url.password, url.hash]).toEqual(["https://shop.example.com", "", "", ""]);
        const segments = url.pathname.split("/");
        expect(segments).toHaveLength(5);
        expect([segments[1], segments[3]]).toEqual(["v1", "sub"]);
        expect([decodeURIComponent(segments[2] ?? ""), decodeURIComponent(segments[4] ?? "")]).toEqual([
          a,
          `x-${a}.json`,
        ]);
        for (const text of decodedFully(url.pathname)) {
          expect(text).not.toMatch(UNSAFE);
        }
        expect([...url.searchParams]).toEqual([
          ["fixed", "1"],
          ["q", a],
          ["more", `v ${a}`],
        ]);
        expect(JSON.parse(out.body ?? "")).toEqual({ whole: a, part: `say ${a}.`, nested: [{ deep: a }], fixed: true });
        expect(out.headers).toEqual({ accept: expect.any(String), "content-type": "application/json" });
        expect(JSON.stringify(out)).not.toContain("never-expanded");
      }),
      { seed, numRuns: 3_000 },
    );
    expect(created).toBeGreaterThan(300);
  });

  it("neither adds nor ends a header", () => {
    const config = configOf({
      url: "https://x.example/",
      headers: { "X-A": "is {a}" },
      auth: { type: "bearer", token: "{a}" },
    });
    fc.assert(
      fc.property(hostile, (a) => {
        const out = requestOf(config, { a });
        if (out === null) {
          expect(a).toMatch(/[^\t\x20-\x7e]/);
          return;
        }
        const headers = new Headers(out.headers);
        expect([...headers.keys()]).toEqual(["accept", "authorization", "x-a"]);
        expect(headers.get("x-a")).toBe(`is ${a}`.trim());
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it("adds no field to a form", () => {
    const config = configOf({ method: "POST", url: "https://x.example/", form: { To: "{a}", Fixed: "1" } });
    fc.assert(
      fc.property(hostile, (a) => {
        const body = requestOf(config, { a })?.body ?? "";
        expect([...new URLSearchParams(body)]).toEqual([
          ["To", a.toWellFormed()],
          ["Fixed", "1"],
        ]);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it.each([
    "",
    ".",
    "..",
    "%2e%2e",
    "%252e%252E",
    ".%2e",
    "..%2f..",
    "../x",
    "x/../y",
    "a\\b",
    "a%5cb",
    "\0",
    "a%00",
    "%25252525252e",
  ])("an argument is refused in a path: %j", (a) => {
    expect(requestOf(configOf({ url: "https://x.example/a/{a}/b" }), { a })).toBeNull();
  });

  it("a request is refused if its host combines params of several integrations", () => {
    const config = configOf({ url: "https://{{i.shop}}.vendor.example/" });
    for (const shop of [
      "",
      "evil.example/",
      "evil.example?",
      "evil.example#",
      "a@evil.example",
      "a..b",
      "-a",
      "a b",
      "é",
      "evil.example\\",
      "[::1]",
    ]) {
      const values: Values = { args: {}, stored: () => shop };
      expect(() => buildRequest(config, values), shop).toThrow(FillRefused);
    }
  });

  it("an argument is read from the call's own properties, not from the prototype", () => {
    const config = configOf({
      method: "POST",
      url: "https://x.example/?a={constructor}",
      body: { a: "{toString}", b: "{hasOwnProperty} x" },
    });
    expect(requestOf(config, {})).toMatchObject({ url: "https://x.example/", body: "{}" });
  });
});

describe("a mask", () => {
  it("hides a secret in every encoding, and at every offset in base64", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 30 }), fc.string({ maxLength: 5 }), (tail, before) => {
        const secret = `K9${tail}`;
        const mask = maskOf([secret]);
        const around = (text: string) => `${before}${text}`;
        for (const text of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
          expect(mask.text(`> ${text} <`)).toBe(`> ${MASK} <`);
        }
        const encoded = btoa(around(secret));
        expect(mask.text(encoded)).toContain(MASK);
        expect(mask.json({ [secret]: [{ deep: secret }] })).toEqual({ [MASK]: [{ deep: MASK }] });
        expect(mask.cut(`text ${secret.slice(0, -1)}`)).toBe(`text ${MASK}`);
      }),
      { seed },
    );
  });

  it("hides a number that contains a secret, and ignores secrets too short to distinguish from words", () => {
    expect(maskOf(["123456"]).json({ pin: 123456, other: 12 })).toEqual({ pin: MASK, other: 12 });
    expect(maskOf(["abc"]).text("abc")).toBe("abc");
  });
});

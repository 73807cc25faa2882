import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { egressRules, isNearby, judgeAddress } from "../../../src/kernel/egress/address.ts";
import { HOSTILE, PUBLIC, SERVICE } from "./addresses.ts";

const RULES = egressRules(SERVICE);
const hostile = HOSTILE.flatMap(({ of, rule, addresses }) =>
  addresses.map((address) => [of, JSON.stringify(address.slice(0, 100)), address, rule] as const),
);
const refusalOf = (address: string, rules = RULES, from?: URL) => {
  const verdict = judgeAddress(address, rules, from);
  return "refused" in verdict ? verdict.refused : `asked: ${verdict.url.href}`;
};
const allowing = (TOOL_HOSTS: string) => egressRules({ ...SERVICE, TOOL_HOSTS });

describe("a hostile address", () => {
  it("a hostile address is listed only once in the table", () => {
    const all = hostile.map(([, , address]) => address);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(200);
  });

  it.each(hostile)("a hostile address is refused for %s: %s", (_, _name, address, rule) => {
    expect(refusalOf(address)).toMatch(rule);
  });

  it("a hostile address is refused as the target of a redirect", () => {
    const from = new URL("https://api.vendor.com/a/b");
    for (const [, , address, rule] of hostile) {
      // The address in the form in which a header can contain it.
      if (URL.canParse(address)) expect.soft(refusalOf(new URL(address).href, RULES, from), address).toMatch(rule);
    }
    expect(refusalOf("//localhost/x", RULES, from)).toMatch(/is this service itself/);
    expect(refusalOf("\\\\127.0.0.1/x", RULES, from)).toMatch(/is an IP address/);
  });

  it("appears in the refusal only by its host, without secrets", () => {
    for (const address of ["https://me:pa55@vendor.com/hidden?token=s3cret#part", "https://lvh.me/hidden?token=s3cret"])
      expect(refusalOf(address)).not.toMatch(/pa55|hidden|s3cret|part|me:/);
  });
});

describe("an address of a vendor", () => {
  it.each(PUBLIC.map((address) => [address.slice(0, 100), address]))(
    "a vendor's address is requested: %s",
    (_, address = "") => {
      expect(refusalOf(address)).toBe(`asked: ${new URL(address).href}`);
    },
  );

  it("may be relative in a redirect", () => {
    const from = new URL("https://api.vendor.com/a/b");
    expect(refusalOf("../c?d", RULES, from)).toBe("asked: https://api.vendor.com/c?d");
    expect(refusalOf("", RULES, from)).toBe("asked: https://api.vendor.com/a/b");
  });
});

describe("a host that the operator permits", () => {
  it("a host that the operator permits is requested over http at its default or named port", () => {
    const rules = allowing(" localhost:8787,vendor.lan , 10.0.0.7:9000,[::1]:9000,Bücher.lan:443");
    for (const address of [
      "http://localhost:8787/demo/vendor",
      "https://LOCALHOST.:8787/demo/vendor",
      "http://vendor.lan/",
      "https://vendor.lan/",
      "https://vendor.lan:443/",
      "http://10.0.0.7:9000/",
      "http://0xa000007:9000/",
      "http://[0::1]:9000/",
      "https://bücher.lan/",
      "http://xn--bcher-kva.lan:443/",
    ]) {
      expect.soft(refusalOf(address, rules)).toBe(`asked: ${new URL(address).href}`);
    }
    for (const address of [
      "https://localhost/",
      "http://localhost/",
      "http://localhost:8788/",
      "http://127.0.0.1:8787/",
      "http://localhost.vendor.com:8787/",
      "http://sub.localhost:8787/",
      "http://vendor.lan:8080/",
      "https://sub.vendor.lan/",
      "https://vendor.lan.evil.lan/",
      "ftp://vendor.lan/",
      "ws://localhost:8787/",
      "http://me@localhost:8787/",
      "http://10.0.0.7/",
      "http://10.0.0.70:9000/",
      "http://[::1]/",
      "http://bücher.lan/",
      "http://api.vendor.com/",
    ]) {
      expect.soft(refusalOf(address, rules)).not.toMatch(/^asked/);
    }
  });

  it("a permitted host is requested only below the path in the list", () => {
    const rules = allowing("localhost:8787/demo/vendor/");
    for (const path of ["demo/vendor/", "demo/vendor/acme.myshopify.com/x?y", "a/../demo/vendor/x"])
      expect.soft(refusalOf(`http://localhost:8787/${path}`, rules)).toMatch(/^asked/);
    for (const path of [
      "",
      "healthz",
      "demo/vendor",
      "demo/vendors/",
      "demo/vendor/../x",
      "demo/vendor/%2e%2e/x",
      "x/demo/vendor/",
    ])
      expect.soft(refusalOf(`http://localhost:8787/${path}`, rules), path).not.toMatch(/^asked/);
    expect(refusalOf("http://localhost:8788/demo/vendor/", rules)).not.toMatch(/^asked/);
  });

  it("an entry that is not a host permits nothing", () => {
    for (const list of ["", " , ,", "*", "https://localhost", "%", "*.vendor.lan", "http:"]) {
      for (const address of ["http://localhost/", "http://a.vendor.lan/", "http://vendor.lan/", "https://10.0.0.1/"])
        expect.soft(refusalOf(address, allowing(list)), list).not.toMatch(/^asked/);
    }
  });

  it("may be a vendor's host at another port", () => {
    expect(refusalOf("https://vendor.com:8443/x", allowing("vendor.com:8443"))).toBe(
      "asked: https://vendor.com:8443/x",
    );
  });
});

/** The ranges of IANA's registry outside the public internet, with multicast and the former class E. */
const SPECIAL: [base: string, bits: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
const numberOf = (dotted: string) => dotted.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join(".");
const hex = (n: number) => n.toString(16);
const special = fc.constantFrom(...SPECIAL).chain(([base, bits]) => {
  const first = numberOf(base);
  return fc.integer({ min: first, max: first + 2 ** (32 - bits) - 1 });
});
const open = fc
  .integer({ min: 0, max: 2 ** 32 - 1 })
  .filter(
    (n) => !SPECIAL.some(([base, bits]) => Math.floor(n / 2 ** (32 - bits)) === numberOf(base) / 2 ** (32 - bits)),
  );
const part = (n: number, style: number) =>
  [String(n), `0x${hex(n)}`, `0${n.toString(8)}`, `0X00${hex(n)}`][style] ?? "";
/** Returns the same address in every notation that URLs accept: with one to four parts, each in base 10, 16 or 8. */
const written = (n: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }))
    .map(([parts, styles]) => {
      const bytes = [24, 16, 8].slice(0, parts - 1).map((shift) => (n >>> shift) & 255);
      const rest = n % 2 ** (8 * (5 - parts));
      return [...bytes, rest].map((value, index) => part(value, styles[index] ?? 0)).join(".");
    });
const wide = (text: string) =>
  text.replace(/[\d.]/g, (c) => (c === "." ? "。" : String.fromCodePoint(0xff10 + Number(c))));
const dressed = (text: string) =>
  fc.constantFrom(
    text,
    `${text}.`,
    wide(text),
    text.replace(/\d/, (c) => `%3${c}`),
  );

describe("an IP address", () => {
  it("an IP address is refused in every notation, whether private or public", () => {
    const any = fc.oneof(special, open).chain((n) => fc.tuple(fc.constant(n), written(n).chain(dressed)));
    fc.assert(
      fc.property(any, ([n, host]) => {
        expect(new URL(`https://${host}/`).hostname).toBe(dotted(n));
        expect(refusalOf(`https://${host}/`)).toBe(`${dotted(n)} is an IP address, not a host name`);
      }),
      { numRuns: 1_000 },
    );
  });

  it("an IP address is nearby exactly if it is in a range that is not public", () => {
    const cases = fc.oneof(fc.tuple(special, fc.constant(true)), fc.tuple(open, fc.constant(false)));
    fc.assert(
      fc.property(cases, ([n, nearby]) => {
        const [high, low] = [hex(n >>> 16), hex(n & 0xffff)];
        for (const host of [
          dotted(n),
          `[::ffff:${dotted(n)}]`,
          `[64:ff9b::${dotted(n)}]`,
          `[2002:${high}:${low}::1]`,
          `[2606:4700::200:5efe:${dotted(n)}]`,
        ]) {
          expect([host, isNearby(new URL(`https://${host}`).hostname)]).toEqual([host, nearby]);
        }
        expect(isNearby(new URL(`https://[::${dotted(n)}]`).hostname)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("a name that contains an IP address that is not public is refused", () => {
    const name = (n: number, by: string, before: string) =>
      `https://${before}${dotted(n).replaceAll(".", by)}.vendor.com/`;
    const shape = fc.tuple(fc.constantFrom(".", "-"), fc.constantFrom("", "app.", "app-", "ip-", "a.b."));
    fc.assert(
      fc.property(special, shape, (n, [by, before]) => {
        expect(refusalOf(name(n, by, before))).toMatch(/is not a public host name$/);
      }),
    );
    fc.assert(
      fc.property(open, shape, (n, [by, before]) => {
        expect(refusalOf(name(n, by, before))).toMatch(/^asked/);
      }),
    );
  });
});

describe("a host", () => {
  it.each([
    "[fc00::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[::]",
    "[::1]",
    "[2001::1]",
    "[2001:db8::1]",
    "[3fff::1]",
  ])("a host is nearby: %s", (host) => expect(isNearby(host)).toBe(true));

  it.each([
    "localhost",
    "a.localhost",
    "localhost.",
    "localhost..",
    "router",
    "printer.local",
    "10.0.0.1.nip.io",
    "lvh.me",
  ])("a host is nearby by its name: %s", (host) => expect(isNearby(host)).toBe(true));

  it.each(["[2606:4700::1111]", "[2a00::1]", "[3ffe::1]", "8.8.8.8", "vendor.com", "vendor.com.", "localhost.example"])(
    "a host is public: %s",
    (host) => expect(isNearby(host)).toBe(false),
  );

  it("a host is requested only if the surrounding text leaves it the URL's host", () => {
    const text = fc.string({ unit: fc.constantFrom(..."abvendor.com-/@:?#\\%0127[]\t"), maxLength: 16 });
    fc.assert(
      fc.property(text, text, (before, behind) => {
        const verdict = judgeAddress(`https://${before}127.0.0.1${behind}`, RULES);
        if ("refused" in verdict) return;
        const { protocol, hostname, port, username, password } = verdict.url;
        expect([protocol, port, username, password]).toEqual(["https:", "", "", ""]);
        expect(hostname).toMatch(/[a-z][a-z0-9-]*\.?$/);
        expect(isNearby(hostname)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

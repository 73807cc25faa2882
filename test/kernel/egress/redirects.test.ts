import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { egressRules, judgeAddress } from "../../../src/kernel/egress/address.ts";
import { nextRequest, type RedirectPolicy, type Sent } from "../../../src/kernel/egress/redirects.ts";
import { HOSTILE, SERVICE } from "./addresses.ts";

const RULES = egressRules({
  PUBLIC_URL: SERVICE.PUBLIC_URL,
  ALLOWED_HOSTS: SERVICE.ALLOWED_HOSTS,
  TOOL_HOSTS: "vendor.lan,a.lan",
});
const judge = (address: string, from?: URL) => judgeAddress(address, RULES, from);
const POLICIES: RedirectPolicy[] = ["none", "same_origin", "same_host", "other_hosts"];
const SECRETS = { authorization: "Bearer s3cret", "x-api-key": "s3cret", accept: "text/html", "user-agent": "ours" };

const policy = fc.constantFrom(...POLICIES);
const status = fc.constantFrom(301, 302, 303, 307, 308);
const start = fc.constantFrom("https://api.vendor.com/a", "https://vendor.lan/a", "http://vendor.lan/a");
const hostile = HOSTILE.flatMap(({ addresses }) => addresses);
const location = fc.oneof(
  fc.constantFrom(
    "/b",
    "?c",
    "https://api.vendor.com/b",
    "https://www.vendor.com/",
    "//other.example/x",
    "http://vendor.lan/b",
    "https://vendor.lan/b",
    "https://a.lan/",
    "http://a.lan/",
  ),
  fc.constantFrom(...hostile),
);
const sent = fc.tuple(start, fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE")).map(([url, method]): Sent => {
  const body = method === "POST" || method === "PUT" ? "s3cret body" : null;
  const headers = new Headers(SECRETS);
  if (body !== null) headers.set("content-type", "text/plain");
  return { url: new URL(url), method, headers, body };
});
/**
 * Follows a chain of redirects. Returns every request, and the reason why the chain ended; null if it ended with a
 * response.
 */
function follow(first: Sent, redirects: RedirectPolicy, hops: { status: number; location: string }[]) {
  const requests = [first];
  for (const [followed, hop] of hops.entries()) {
    const next = nextRequest(requests[followed] ?? first, hop, followed, { redirects, judge });
    if (next === null || "refused" in next) return { requests, refused: next?.refused ?? null };
    requests.push(next);
  }
  return { requests, refused: null };
}
const chain = fc.array(fc.record({ status, location }), { minLength: 1, maxLength: 6 });

describe("a chain of redirects", () => {
  it("never leads to a refused address, nor from https to http", () => {
    fc.assert(
      fc.property(sent, policy, chain, (first, redirects, hops) => {
        const { requests } = follow(first, redirects, hops);
        for (const [index, { url }] of requests.slice(1).entries()) {
          expect(judge(url.href)).toHaveProperty("url");
          if (requests[index]?.url.protocol === "https:") expect(url.protocol).toBe("https:");
        }
        expect(requests.length).toBeLessThanOrEqual(4);
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays within its policy", () => {
    fc.assert(
      fc.property(sent, chain, (first, hops) => {
        expect(follow(first, "none", hops).requests).toEqual([first]);
        for (const { url } of follow(first, "same_origin", hops).requests) expect(url.origin).toBe(first.url.origin);
        for (const { url } of follow(first, "same_host", hops).requests) expect(url.host).toBe(first.url.host);
      }),
      { numRuns: 1_000 },
    );
  });

  it("sends no credential and no body to another host, and none on the way back", () => {
    fc.assert(
      fc.property(sent, policy, chain, (first, redirects, hops) => {
        let isElsewhere = false;
        for (const { url, method, headers, body } of follow(first, redirects, hops).requests) {
          isElsewhere ||= url.host !== first.url.host;
          if (!isElsewhere) continue;
          expect(body).toBeNull();
          expect(["GET", "HEAD"]).toContain(method);
          expect(Object.fromEntries(headers)).toEqual({ accept: "text/html", "user-agent": "ours" });
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("ends with a message without path, query or credential", () => {
    fc.assert(
      fc.property(sent, policy, chain, (first, redirects, hops) => {
        const { refused } = follow(first, redirects, hops);
        expect(refused ?? "").not.toMatch(/s3cret|\/[abx]\b|\?/);
      }),
    );
  });
});

describe("a redirect to another host", () => {
  const page = (method: string): Sent => {
    return { url: new URL("https://vendor.com/"), method, headers: new Headers(SECRETS), body: null };
  };
  const to = (method: string, code: number) =>
    nextRequest(page(method), { status: code, location: "https://www.vendor.com/" }, 0, {
      redirects: "other_hosts",
      judge,
    });

  it("a page's redirect to another host is followed", () => {
    expect(to("GET", 301)).toMatchObject({ method: "GET", url: new URL("https://www.vendor.com/") });
  });

  it("a redirect to another host is refused for a method that changes something", () => {
    expect(to("DELETE", 302)).toEqual({ refused: "vendor.com redirected a DELETE to another host, www.vendor.com" });
    expect(to("POST", 307)).toEqual({ refused: "vendor.com redirected a POST to another host, www.vendor.com" });
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { call } from "../../support/client.ts";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https:",
  "connect-src 'self' wss://switchboard.test",
  "media-src 'self' blob: https://switchboard.test",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
const DEEP = ["/console/campaigns/0190/contacts?outcome=busy", "/console/a/b/c", "/console/file.js", "/console/assets"];

/** Returns the address of a script that the page loads. */
async function script(): Promise<string> {
  const { body } = await call<string>("GET", "/console/");
  return /<script type="module"[^>]* src="([^"]+)"/.exec(body)?.[1] ?? "";
}

/** Returns the page's policy in a service with these variables. The request uses another host name. */
async function policyOf(vars: Partial<Env>): Promise<string> {
  const page = await app.request("http://127.0.0.1:8787/console/", {}, Object.assign({}, env, vars));
  return page.headers.get("content-security-policy") ?? "";
}

describe("the console's page", () => {
  it.each(["/console/", ...DEEP])(
    "the console's page is served at %s, is revalidated each time, and loads only from this host",
    async (path) => {
      const { status, headers, body } = await call<string>("GET", path);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(Object.fromEntries(headers)).toMatchObject({
        "cache-control": "no-cache",
        "content-security-policy": POLICY,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": expect.stringMatching(/^microphone=\(self\), .*camera=\(\)/),
        "referrer-policy": "no-referrer",
        "strict-transport-security": "max-age=31536000; includeSubDomains",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
      expect(body).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
      expect(body.match(/(?:src|href)="(?!\/(?!\/))[^"]*"/g)).toBeNull();
      const head = await call("HEAD", path);
      expect([head.status, head.body]).toEqual([200, ""]);
      expect(head.headers.get("content-security-policy")).toBe(POLICY);
      const again = await call("GET", path, { headers: { "if-none-match": headers.get("etag") ?? "" } });
      expect([again.status, again.headers.get("cache-control")]).toEqual([304, "no-cache"]);
      expect(again.headers.get("content-security-policy")).toBe(POLICY);
    },
  );

  it.each(["/console", "/console/index.html"])(
    "the console's page has one address, to which %s redirects",
    async (path) => {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await call(method, path);
        expect([status, headers.get("location")]).toEqual([307, "/console/"]);
      }
    },
  );

  it("a browser without a path is redirected to the console's page", async () => {
    const { status, headers } = await call("GET", "/", { headers: { accept: "text/html" } });
    expect([status, headers.get("location")]).toEqual([302, "/console/"]);
    expect((await call<{ links: { console: string } }>("GET", "/")).body.links.console).toBe("/console/");
  });

  it.each(["/console/", ...DEEP])("the console's page accepts no writes: %s", async (path) => {
    const { status, code, headers } = await call("POST", path);
    expect([status, code, headers.get("allow")]).toEqual([405, "method_not_allowed", "GET, HEAD"]);
  });

  it("the console's page is not served under aliases", async () => {
    for (const path of ["/hub-api/console/", "/hub-api/console/agents"]) {
      expect((await call("GET", path, { headers: { accept: "text/html" } })).status, path).toBe(404);
    }
  });

  it("the console's page is not served for hosts outside the service's own", async () => {
    const page = await app.request(
      "http://evil.example/console/",
      {},
      Object.assign({}, env, { ALLOWED_HOSTS: "a.example" }),
    );
    expect([page.status, page.headers.get("x-error-code")]).toEqual([421, "misdirected_request"]);
  });

  it("may connect to the runtime and play recordings only at the API's addresses", async () => {
    const own = await policyOf({
      VOICE_RUNTIME_URL: "wss://runtime.example:8443/talk?x=1",
      PUBLIC_URL: "https://api.example/",
    });
    expect(own).toContain("; connect-src 'self' wss://runtime.example:8443;");
    expect(own).toContain("; media-src 'self' blob: https://api.example;");
    const nothing = await policyOf({ VOICE_RUNTIME_URL: "", PUBLIC_URL: "" });
    expect(nothing).toContain("; connect-src 'self'; media-src 'self' blob:; ");
    const wrong = await policyOf({ VOICE_RUNTIME_URL: "wss: *; script-src *", PUBLIC_URL: "no address" });
    expect(wrong).toBe(nothing);
  });
});

describe("the console's files", () => {
  it("the console's files are cached permanently, because their names change with their content", async () => {
    const path = await script();
    expect(path).toMatch(/^\/console\/assets\/[\w-]+-[\w-]{8}\.js$/);
    const { status, headers } = await call("GET", path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    const etag = headers.get("etag") ?? "";
    expect((await call("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await call("POST", path)).status).toBe(405);
  });

  it.each(["/console/assets/index-00000000.js", "/console/assets/a/b.css", "/console/assets/"])(
    "a missing file of the console is an uncached 404: %s",
    async (path) => {
      for (const headers of [{ accept: "text/html" }, { accept: "*/*" }]) {
        const answer = await call("GET", path, { headers });
        expect([answer.status, answer.code]).toEqual([404, "not_found"]);
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(answer.headers.get("content-type")).toBe("application/json");
      }
      expect((await call("HEAD", path)).status).toBe(404);
    },
  );
});

import { describe, expect, it } from "vitest";
import { call } from "../../support/client.ts";

const PAGES = ["/docs", "/docs/guides", "/docs/guides/first-agent", "/docs/guides/first-call", "/docs/widget"];
const html = { accept: "text/html" };

describe("the pages under /docs", () => {
  it.each(PAGES)("%s is complete, loads scripts only from this host, and is revalidated each time", async (path) => {
    const { status, headers, body } = await call<string>("GET", path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers.get("content-security-policy")?.includes("unsafe")).toBe(path === "/docs");
    expect(headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(body).toMatch(/<title>[^<]+ · Switchboard<\/title>/);
    expect(body).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
    for (const link of ["/docs", "/docs/guides", "/openapi.json"]) expect(body).toContain(`href="${link}"`);
    expect((await call("HEAD", path)).status).toBe(200);
    expect((await call("POST", path)).status).toBe(405);
    const etag = headers.get("etag") ?? "";
    expect((await call("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  it("link from the reference to the guides for the five main jobs", async () => {
    const { body } = await call<string>("GET", "/docs");
    for (const guide of ["first-agent", "first-call", "campaign", "widget", "own-runtime"]) {
      expect(body).toContain(`href="/docs/guides/${guide}"`);
      expect((await call("GET", `/docs/guides/${guide}`)).status, guide).toBe(200);
    }
  });

  it("name their files by content hash", async () => {
    const { body } = await call<string>("GET", "/docs");
    const files = [...body.matchAll(/(?:src|href)="(\/docs\/[^"]+\.\w+\?v=[0-9a-f]{8})"/g)].map(
      ([, file]) => file ?? "",
    );
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const { status, headers } = await call("GET", file);
      expect([status, headers.get("cache-control")], file).toEqual([200, "public, max-age=86400"]);
    }
  });

  it.each([
    ["/docs/", "/docs"],
    ["/docs/guides/", "/docs/guides"],
    ["/docs/guides/first-agent.html", "/docs/guides/first-agent"],
    ["/docs/guides/first-agent/", "/docs/guides/first-agent"],
  ])("each page under /docs has one address, so %s redirects to %s", async (path, to) => {
    const { status, headers } = await call("GET", path, { headers: html });
    expect([status, headers.get("location")]).toEqual([307, to]);
  });

  it.each(["/docs/nothing", "/docs/guides/nothing", "/docs/a/b/c"])(
    "a missing page under /docs is explained at %s",
    async (path) => {
      const page = await call<string>("GET", path, { headers: html });
      expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(page.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(page.body).toContain("Page not found");
      const head = await call("HEAD", path, { headers: html });
      expect([head.status, head.body]).toEqual([404, ""]);
      expect((await call("GET", path)).code).toBe("not_found");
      expect((await call("POST", path, { headers: html })).code).toBe("not_found");
    },
  );
});

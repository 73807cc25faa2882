import { describe, expect, it } from "vitest";
import { call } from "../../support/client.ts";

describe("static files", () => {
  it.each([
    ["/docs/reference.js", "text/javascript; charset=utf-8", "public, max-age=86400"],
    ["/docs/icon.svg", "image/svg+xml", "public, max-age=86400"],
    ["/widget.js", "text/javascript; charset=utf-8", "public, max-age=300, stale-while-revalidate=86400"],
  ])("static files include %s, with its own headers and none of an API response", async (path, type, cache) => {
    const { status, headers, body } = await call<string>("GET", path);
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([200, type, cache]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-request-id")).toBeNull();
    expect(body.length).toBeGreaterThan(100);
    const etag = headers.get("etag") ?? "";
    expect((await call("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await call("POST", path)).status).toBe(405);
  });

  it.each(["/widget.js", "/widget-voice.js"])("a static file may be embedded by any page: %s", async (path) => {
    const { status, headers } = await call("GET", path);
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  });

  it.each(["/docs/nothing.js", "/docs/a/b", "/hub-api/widget.js", "/widget.js/"])(
    "static files do not include %s, which answers 404 like any unknown address",
    async (path) => {
      const answer = await call("GET", path);
      expect([answer.status, answer.code]).toEqual([404, "not_found"]);
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { AppEnv } from "../../../src/kernel/http/context.ts";
import { finishHeaders } from "../../../src/kernel/http/headers.ts";
import { upload } from "../../campaign/support.ts";
import { BASE, call, tenant } from "../../support/client.ts";

const EVERYWHERE = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

describe("the headers of every response", () => {
  it("every response has the headers, with JSON, without a body, refused or streamed", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, "phone_number,name\r\n+12025550101,Ada\r\n");
    const file = await server.get<string>(`/api/v1/campaigns/${body.id}/export`);
    expect(file.body).toContain("Ada");
    expect(file.headers.get("content-type")).toContain("text/csv");
    expect(file.headers.get("cross-origin-resource-policy")).toBeNull();
    const json = await server.get("/api/v1/calls");
    const answers = [file, json, await server.delete(`/api/v1/campaigns/${body.id}`), await call("GET", "/nowhere")];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 404]);
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject(EVERYWHERE);
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(json.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  it("a response that cannot be changed has the headers too", async () => {
    const app = new Hono<AppEnv>();
    app.use(async (c, next) => {
      c.set("requestId", "one");
      await next();
      finishHeaders(c);
    });
    app.get("/", () => Response.redirect("https://elsewhere.example/"));
    const { status, headers } = await app.request(BASE);
    expect([status, headers.get("location")]).toEqual([302, "https://elsewhere.example/"]);
    expect(Object.fromEntries(headers)).toMatchObject({ ...EVERYWHERE, "x-request-id": "one" });
  });

  it("do not replace headers that a handler set", async () => {
    const page = new Hono<AppEnv>();
    page.use(async (c, next) => {
      c.set("requestId", "one");
      await next();
      finishHeaders(c);
    });
    page.get("/", (c) => c.html("<p>", 200, { "content-security-policy": "script-src 'self'" }));
    const { headers } = await page.request(BASE);
    expect(headers.get("content-security-policy")).toBe("script-src 'self'");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });
});

import { describe, expect, it } from "vitest";
import { call } from "../../support/client.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
interface Index {
  name: string;
  version: string;
  links: Record<string, string>;
}

describe("the root", () => {
  it.each([undefined, "*/*", "application/json", "application/json, text/html;q=0.5", "image/png"])(
    "the root lists the service's addresses for clients that accept %s, and every link works",
    async (accept) => {
      const answer = await call<Index>("GET", "/", { headers: accept ? { accept } : {} });
      const { info } = (await call<{ info: { version: string } }>("GET", "/openapi.json")).body;
      expect([answer.status, answer.headers.get("vary")]).toEqual([200, "accept"]);
      expect(answer.body).toMatchObject({ name: "Switchboard", version: info.version });
      const { api, ...links } = answer.body.links;
      expect(api).toBe("/api/v1");
      for (const path of Object.values(links)) expect((await call("GET", path)).status, path).toBe(200);
    },
  );

  it("sends a browser to the console", async () => {
    const { status, headers } = await call("GET", "/", { headers: { accept: BROWSER } });
    expect([status, headers.get("location"), headers.get("vary")]).toEqual([302, "/console/", "accept"]);
  });

  it("answers HEAD", async () => {
    const json = await call("HEAD", "/");
    expect([json.status, json.headers.get("content-type"), json.body]).toEqual([200, "application/json", ""]);
    const page = await call("HEAD", "/", { headers: { accept: BROWSER } });
    expect([page.status, page.headers.get("location")]).toEqual([302, "/console/"]);
  });

  it("refuses writes", async () => {
    const { status, headers } = await call("POST", "/");
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningWorker, startWorker } from "../support/worker.ts";

/** The headers that depend on whether the file server or the Worker answers. */
const HEADERS = ["cache-control", "content-security-policy", "content-type", "location", "permissions-policy"];

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startWorker({});
});
afterAll(() => worker.stop());

async function get(path: string, init: RequestInit = {}) {
  const response = await fetch(worker.origin + path, { redirect: "manual", ...init });
  const headers = Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)]));
  return { status: response.status, headers, etag: response.headers.get("etag") ?? "", body: await response.text() };
}

// As in a deployment, static files are served before the Worker is called. test/kernel/http/console-page.test.ts tests
// the Worker alone.
describe("the console behind the server of static files", () => {
  it("serves one page with one policy at its address and below", async () => {
    const page = await get("/console/");
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      "cache-control": "no-cache",
      "content-security-policy": expect.stringContaining(`connect-src 'self' ${worker.origin.replace("http", "ws")};`),
      "permissions-policy": expect.stringContaining("microphone=(self)"),
    });
    for (const path of ["/console/campaigns/0190/contacts", "/console/file.js", "/console/?from=mail"]) {
      expect(await get(path), path).toEqual(page);
      // The headers of a browser that opens an address.
      const navigation = { accept: "text/html,*/*;q=0.8", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      expect(await get(path, { headers: navigation }), path).toEqual(page);
    }
    const again = await get("/console/agents", { headers: { "if-none-match": page.etag } });
    expect([again.status, again.headers["content-security-policy"]]).toEqual([
      304,
      page.headers["content-security-policy"],
    ]);
    expect((await get("/console/", { method: "HEAD" })).status).toBe(200);
    expect((await get("/console/", { method: "POST" })).status).toBe(405);
  });

  it.each(["/console", "/console/index.html"])("redirects %s to its address", async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([307, "/console/"]);
  });

  it("serves its files as immutable, and answers 404 for a missing file", async () => {
    const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec((await get("/console/")).body) ?? [];
    const file = await get(script);
    expect([file.status, file.headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
    const gone = await get("/console/assets/index-00000000.js", { headers: { accept: "text/html" } });
    expect([gone.status, gone.body]).toEqual([404, '"resource not found"']);
    expect(gone.headers["cache-control"]).toBe("no-store");
  });
});

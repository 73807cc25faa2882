import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { type Client, call, consoleUser, tenant } from "../../support/client.ts";

interface Document {
  paths: Record<string, Record<string, { requestBody?: { required?: boolean } }>>;
}

/** Content types that clients send without a body. */
const TYPES = [undefined, "application/x-www-form-urlencoded", "text/plain;charset=UTF-8", "application/json"];
/** The only endpoint among them that ends the session that calls it. */
const SIGN_OUT = "/api/logout";
/** Endpoints whose path names no row. They always succeed. */
const DONE = ["/api/v1/events/stream/ticket", "/api/second-factor"];
const withType = (type: string | undefined): Record<string, string> =>
  type === undefined ? {} : { "content-type": type };
const post = (client: Client, path: string, type: string | undefined, raw: BodyInit | undefined) =>
  client.send("POST", path, raw, withType(type));

/** Returns every POST with an optional body, according to the OpenAPI document. */
async function bodyless(): Promise<string[]> {
  const { body } = await call<Document>("GET", "/openapi.json");
  return Object.entries(body.paths)
    .filter(([, { post }]) => post && !post.requestBody?.required)
    .map(([path]) => path);
}

describe("a POST that needs no body", () => {
  it("needs no content type, on any endpoint with a body", async () => {
    const { user, account } = await tenant();
    const paths = await bodyless();
    expect(paths).toContain("/api/v1/marketplace/agents/{id}/install");
    expect(paths).toContain("/api/v1/campaigns/{id}/start");
    for (const path of paths.filter((path) => path !== SIGN_OUT)) {
      const filled = path.replace(/\{\w+\}/g, () => crypto.randomUUID());
      // Endpoints of operators and runtimes have other kinds of access.
      const refused = path.startsWith("/api/admin/") ? 403 : path.startsWith("/api/runtime/") ? 401 : 404;
      const expected = DONE.includes(path) ? 200 : refused;
      for (const type of TYPES) {
        for (const raw of [undefined, ""]) {
          expect([path, type, (await post(user, filled, type, raw)).status]).toEqual([path, type, expected]);
        }
      }
    }
    for (const type of TYPES) expect((await post(await consoleUser(account), SIGN_OUT, type, "")).status).toBe(204);
  });

  it("does its work without a body", async () => {
    const { server } = await tenant();
    for (const type of TYPES) {
      for (const path of ["integrations/slack/install", `marketplace/agents/${CATALOG.templates[0]?.id}/install`]) {
        expect([path, type, (await post(server, `/api/v1/${path}`, type, "")).status]).toEqual([path, type, 200]);
      }
    }
  });

  it("refuses a body of another type with 400", async () => {
    const { server } = await tenant();
    for (const type of ["application/x-www-form-urlencoded", "text/plain;charset=UTF-8"]) {
      const answer = await post(server, "/api/v1/integrations/slack/install", type, "params=1");
      expect([answer.status, answer.code]).toEqual([400, "unsupported_content_type"]);
    }
  });

  it("validates a body that is sent anyway", async () => {
    const { server } = await tenant();
    const answer = await server.post("/api/v1/integrations/slack/install", { params: 1 });
    expect([answer.status, answer.code]).toEqual([400, "invalid_request"]);
  });
});

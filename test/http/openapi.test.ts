import { describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { call } from "../support/client.ts";

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, []>[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { description: string; content?: Record<string, unknown> }>;
  parameters?: { name: string; in: string }[];
}
interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, unknown> };
}

const document = async () => (await call<Document>("GET", "/openapi.json")).body;

async function operations() {
  return Object.entries((await document()).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, name: `${method} ${path}`, operation })),
  );
}

describe("OpenAPI", () => {
  it("describes this version, both mounts and both ways to sign in", async () => {
    const { openapi, info, servers, components } = await document();
    expect([openapi, info.version]).toEqual(["3.1.0", "0.2.0"]);
    expect(servers.map(({ url }) => url)).toEqual(["/", "/hub-api"]);
    expect(Object.keys(components.securitySchemes).sort()).toEqual(["apiKey", "console"]);
  });

  it("describes every endpoint that is mounted, and no other", async () => {
    const mounted = app.routes
      .filter(({ method, path }) => method !== "ALL" && path !== "/openapi.json" && path !== "/docs")
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`);
    expect((await operations()).map(({ name }) => name).sort()).toEqual([...new Set(mounted)].sort());
  });

  it("names each operation once and for good", async () => {
    const ids = (await operations()).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
    expect(ids).toEqual(
      expect.arrayContaining(["listAgents", "createAgent", "getAgent", "updateAgent", "deleteAgent"]),
    );
  });

  it("says of each what it takes, what it gives and what can go wrong", async () => {
    for (const { path, name, operation } of await operations()) {
      expect(operation.summary, name).not.toBe("");
      expect(operation.tags, name).toHaveLength(1);
      expect(Object.keys(operation.responses), name).toContain("500");
      const parameters = operation.parameters?.filter((p) => p.in === "path").map((p) => `{${p.name}}`) ?? [];
      expect(parameters.sort(), name).toEqual((path.match(/\{\w+\}/g) ?? []).sort());
      if (operation.security.length > 0) {
        expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(["400", "401", "403", "429"]));
      }
    }
  });

  it("is shown at /docs without a word from outside", async () => {
    const page = await call<string>("GET", "/docs");
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toMatch(/script-src 'self';/);
    expect(page.body).not.toMatch(/https?:\/\//);
    expect(page.body).not.toMatch(/<script(?![^>]*src=)/);
  });
});

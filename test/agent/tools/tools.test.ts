import { describe, expect, it } from "vitest";
import { CONVERSATION_TOOLS, PURE_TOOLS } from "../../../src/agent/tools/built-in-names.ts";
import { type Client, tenant } from "../../support/client.ts";

interface Tool {
  id: string;
  name: string;
  display_name: string;
  category: string;
  is_default: boolean;
  modified_from_default: boolean;
  [field: string]: unknown;
}
interface Page {
  tools: Tool[];
  total: number;
  limit: number;
  offset: number;
  categories: Record<string, number>;
}

const list = async (client: Client, query = "") => (await client.get<Page>(`/api/v1/tools${query}`)).body;

describe("the tools of an account", () => {
  it("a new account's tools are listed ten to a page by default", async () => {
    const { server } = await tenant();
    const first = await list(server);
    expect(first).toMatchObject({ limit: 10, offset: 0 });
    expect(first.tools).toHaveLength(10);
    expect(first.total).toBeGreaterThanOrEqual(14);
  });

  it("tools are sorted by name across all pages without duplicates", async () => {
    const { server } = await tenant();
    const [first, rest] = [await list(server), await list(server, "?limit=100&offset=10")];
    const names = [...first.tools, ...rest.tools].map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(first.total);
  });

  it("tools are filtered by category, with every category counted on each page", async () => {
    const { server } = await tenant();
    const { categories, total } = await list(server);
    expect(Object.values(categories).reduce((sum, n) => sum + n)).toBe(total);
    const [category = "", n = 0] = Object.entries(categories)[0] ?? [];
    const some = await list(server, `?category=${category}&limit=100`);
    expect([some.total, some.tools.length]).toEqual([n, n]);
    expect(some.categories).toEqual(categories);
  });

  const schema = { type: "object", properties: { city: { type: "string" } } };
  const cityTool = { name: "look_up_city", description: "d", schema, tags: ["a"] };

  it("a tool is created with its own display name and found by uuid or name", async () => {
    const { server } = await tenant();
    const created = await server.post<Tool>("/api/v1/tools", cityTool);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ display_name: "Look up city", category: "custom", schema, is_default: false });
    for (const id of [created.body.id, created.body.id.toUpperCase(), "look_up_city"]) {
      expect((await server.get(`/api/v1/tools/${id}`)).body).toEqual(created.body);
    }
  });

  it("keep their name when they are changed, and are not found once deleted", async () => {
    const { server } = await tenant();
    const created = await server.post<Tool>("/api/v1/tools", cityTool);
    const changed = await server.put<Tool>("/api/v1/tools/look_up_city", { description: "new", name: "ignored" });
    expect(changed.body).toMatchObject({
      name: "look_up_city",
      description: "new",
      modified_from_default: false,
      schema,
    });
    expect((await server.delete(`/api/v1/tools/${created.body.id}`)).body).toEqual({
      id: created.body.id,
      deleted: true,
    });
    expect((await server.get("/api/v1/tools/look_up_city")).status).toBe(404);
  });

  it("tools are searched literally in name, display name and description", async () => {
    const { server } = await tenant();
    await server.post("/api/v1/tools", { name: "zz_percent", description: "gives 100% off" });
    await server.post("/api/v1/tools", { name: "zz_other", display_name: "Under_score" });
    const found = async (search: string) =>
      (await list(server, `?limit=100&search=${encodeURIComponent(search)}`)).tools.map(({ name }) => name);
    expect(await found("100% OFF")).toEqual(["zz_percent"]);
    expect(await found("%")).toContain("zz_percent");
    expect(await found("%")).not.toContain("zz_other");
    expect(await found("Under_score")).toEqual(["zz_other"]);
    expect(await found("z%other")).toEqual([]);
    expect(await found("\\")).toEqual([]);
  });

  it("tools are filtered by the type of their implementation", async () => {
    const { server } = await tenant();
    const python = await list(server, "?type=python&limit=100");
    expect(python.tools.every((tool) => tool.implementation_type === "python")).toBe(true);
    expect(python.total).toBe(python.tools.length);
  });

  it("include defaults that are marked when changed, and cannot be deleted", async () => {
    const { server } = await tenant();
    const [tool] = (await list(server)).tools;
    expect(tool).toMatchObject({ is_default: true, modified_from_default: false });
    const changed = await server.put<Tool>(`/api/v1/tools/${tool?.name}`, { description: "ours" });
    expect(changed.body).toMatchObject({ is_default: true, modified_from_default: true });
    const refused = await server.delete(`/api/v1/tools/${tool?.id}`);
    expect([refused.status, refused.code]).toEqual([403, "default_item"]);
  });
});

describe("the endpoint of tools", () => {
  it.each([["?limit=0"], ["?limit=101"], ["?limit=x"], ["?offset=-1"], ["?type=ruby"]])(
    "the list of tools refuses %s",
    async (query) => {
      const { server } = await tenant();
      expect((await server.get(`/api/v1/tools${query}`)).status).toBe(400);
    },
  );

  it.each([
    ["no name", {}],
    ["a bad name", { name: "Bad Name" }],
    ["a bad type", { name: "x", implementation_type: "ruby" }],
    ["a schema that is not an object", { name: "x", schema: "string" }],
    ["tags that are not a list", { name: "x", tags: "a" }],
  ])("a tool with %s is refused and not stored", async (_, body) => {
    const { server } = await tenant();
    const before = (await list(server)).total;
    expect((await server.post("/api/v1/tools", body)).status).toBe(400);
    expect((await list(server)).total).toBe(before);
  });

  it("refuses a name that is already taken", async () => {
    const { server } = await tenant();
    await server.post("/api/v1/tools", { name: "mine" });
    const again = await server.post("/api/v1/tools", { name: "mine" });
    expect([again.status, again.code]).toEqual([400, "duplicate_name"]);
  });

  it.each([...CONVERSATION_TOOLS, ...PURE_TOOLS])(
    "a tool cannot have the name of the built-in tool %s",
    async (name) => {
      const { server } = await tenant();
      const before = (await list(server)).total;
      const answer = await server.post("/api/v1/tools", { name });
      expect([answer.status, answer.code]).toEqual([400, "duplicate_name"]);
      expect((await list(server)).total).toBe(before);
    },
  );

  it("refuses nesting bombs, bodies over 1 MiB and prototype keys, and stores nothing", async () => {
    const { server } = await tenant();
    const before = (await list(server)).total;
    const json = { "content-type": "application/json" };
    const bomb = `{"name":"bomb","schema":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`;
    const big = JSON.stringify({ name: "big", implementation_code: "x".repeat(1_100_000) });
    const proto = '{"name":"proto","schema":{"__proto__":{"polluted":true}}}';
    const statuses = [];
    for (const body of [bomb, big, proto])
      statuses.push((await server.send("POST", "/api/v1/tools", body, json)).status);
    expect(statuses).toEqual([400, 413, 400]);
    expect((await list(server)).total).toBe(before);
  });

  it("answers 404 for an unknown tool", async () => {
    const { server } = await tenant();
    expect((await server.get("/api/v1/tools/nothing")).status).toBe(404);
    expect((await server.put("/api/v1/tools/nothing", {})).status).toBe(404);
    expect((await server.delete("/api/v1/tools/nothing")).status).toBe(404);
  });
});

import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

interface Playbook {
  id: string;
  name: string;
  content: string;
  [field: string]: unknown;
}
interface Page {
  playbooks: Playbook[];
  total: number;
}

describe("a playbook", () => {
  it("a new account's playbook contains markdown", async () => {
    const { server } = await tenant();
    const { body } = await server.get<Page>("/api/v1/playbooks?limit=100");
    expect(body.total).toBeGreaterThanOrEqual(12);
    expect(body.playbooks.every(({ content }) => content.startsWith("#"))).toBe(true);
  });

  it("has markdown generated from its fields, unless markdown was sent", async () => {
    const { server } = await tenant();
    const created = await server.post<Playbook>("/api/v1/playbooks", {
      name: "take_order",
      display_name: "Take an order",
      description: "Takes it.",
      tool_names: ["look_up"],
    });
    expect(created.status).toBe(201);
    expect(created.body.content).toBe("# Take an order\n\nTakes it.\n\n## Tools\n\n- `look_up`");
    const renamed = await server.put<Playbook>("/api/v1/playbooks/take_order", { display_name: "Order" });
    expect(renamed.body.content).toMatch(/^# Order/);
    await server.put("/api/v1/playbooks/take_order", { content: "# Our own" });
    expect((await server.get<Playbook>(`/api/v1/playbooks/${created.body.id}`)).body.content).toBe("# Our own");
    expect((await server.delete("/api/v1/playbooks/take_order")).body).toEqual({ id: created.body.id, deleted: true });
  });

  it("playbooks are searched literally by the beginning of their names", async () => {
    const { server } = await tenant();
    for (const name of ["zz_one", "zz_two", "zzz"]) await server.post("/api/v1/playbooks", { name });
    const found = async (search: string) =>
      (await server.get<Page>(`/api/v1/playbooks?search=${encodeURIComponent(search)}`)).body.playbooks.map(
        ({ name }) => name,
      );
    expect(await found("zz_")).toEqual(["zz_one", "zz_two"]);
    expect(await found("ZZ")).toEqual(["zz_one", "zz_two", "zzz"]);
    expect(await found("one")).toEqual([]);
    expect(await found("%")).toEqual([]);
  });
});

describe("a playbook", () => {
  it("a playbook with an invalid body, a taken name or an unknown id is refused", async () => {
    const { server } = await tenant();
    for (const body of [{}, { name: "A B" }, { name: "x", tool_names: ["No Good"] }, { name: "x", tags: 1 }]) {
      expect((await server.post("/api/v1/playbooks", body)).status).toBe(400);
    }
    await server.post("/api/v1/playbooks", { name: "mine" });
    expect((await server.post("/api/v1/playbooks", { name: "mine" })).code).toBe("duplicate_name");
    expect((await server.get("/api/v1/playbooks/none")).status).toBe(404);
    expect((await server.put("/api/v1/playbooks/none", {})).status).toBe(404);
  });

  it("a default playbook cannot be deleted", async () => {
    const { server } = await tenant();
    const [first] = (await server.get<Page>("/api/v1/playbooks")).body.playbooks;
    expect((await server.delete(`/api/v1/playbooks/${first?.name}`)).status).toBe(403);
  });

  it("a changed default playbook is marked as modified", async () => {
    const { server } = await tenant();
    const [first] = (await server.get<Page>("/api/v1/playbooks")).body.playbooks;
    const path = `/api/v1/playbooks/${first?.name}`;
    expect((await server.get(path)).body).toMatchObject({ is_default: true, modified_from_default: false });
    await server.put(path, { description: "Ours" });
    expect((await server.get(path)).body).toMatchObject({ description: "Ours", modified_from_default: true });
  });
});

import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

interface Faq {
  id: string;
  name: string;
  [field: string]: unknown;
}

describe("an FAQ", () => {
  it("a new account's FAQ has all its fields", async () => {
    const { server } = await tenant();
    const { body } = await server.get<{ faqs: Faq[]; total: number }>("/api/v1/faqs");
    expect(body.total).toBeGreaterThanOrEqual(10);
    expect(body.faqs).toHaveLength(body.total);
    expect(Object.keys(body)).toEqual(["faqs", "total"]);
  });

  it("an FAQ is created, found by uuid and name, changed and deleted", async () => {
    const { server } = await tenant();
    const created = await server.post<Faq>("/api/v1/faqs", {
      name: "hours",
      title: "When are you open?",
      content: "9 to 5",
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: "hours", is_default: false, modified_from_default: false, tags: [] });
    expect((await server.get(`/api/v1/faqs/${created.body.id}`)).body).toEqual(created.body);
    expect((await server.put<Faq>("/api/v1/faqs/hours", { content: "always", name: "our_hours" })).body).toMatchObject({
      name: "our_hours",
      content: "always",
      title: "When are you open?",
    });
    expect((await server.delete("/api/v1/faqs/our_hours")).body).toEqual({ id: created.body.id, deleted: true });
    expect((await server.get(`/api/v1/faqs/${created.body.id}`)).status).toBe(404);
  });
});

describe("an FAQ", () => {
  it("an FAQ with an invalid body, a taken name or an unknown id is refused", async () => {
    const { server } = await tenant();
    expect((await server.post("/api/v1/faqs", { title: "no name" })).status).toBe(400);
    await server.post("/api/v1/faqs", { name: "mine" });
    expect((await server.post("/api/v1/faqs", { name: "mine" })).code).toBe("duplicate_name");
    await server.post("/api/v1/faqs", { name: "other" });
    expect((await server.put("/api/v1/faqs/other", { name: "mine" })).code).toBe("duplicate_name");
    expect((await server.delete("/api/v1/faqs/none")).status).toBe(404);
  });

  it("a default FAQ cannot be deleted", async () => {
    const { server } = await tenant();
    const { body } = await server.get<{ faqs: Faq[] }>("/api/v1/faqs");
    const path = `/api/v1/faqs/${body.faqs.find(({ is_default }) => is_default === true)?.name}`;
    expect((await server.delete(path)).status).toBe(403);
    expect((await server.get(path)).status).toBe(200);
  });
});

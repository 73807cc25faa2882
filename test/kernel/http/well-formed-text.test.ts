import { describe, expect, it } from "vitest";
import { call, tenant } from "../../support/client.ts";

interface Problem {
  errors: { field: string; code: string }[];
}
const HALF = "\ud800";

describe("a text with half of a surrogate pair", () => {
  it.each([
    ["/api/v1/agents", { name: `a${HALF}` }, "name"],
    ["/api/v1/agents", { name: "a", system_prompt: `${HALF}b` }, "system_prompt"],
    ["/api/v1/tools", { name: "a", tags: ["x", HALF] }, "tags.1"],
    ["/api/v1/tools", { name: "a", schema: { type: "object", description: HALF } }, "schema.description"],
    ["/api/v1/playbooks", { name: "a", content: `${HALF}\ud800\udc00` }, "content"],
    ["/api/v1/faqs", { name: "a", title: "\udc00\ud800" }, "title"],
    ["/api/v1/widget-keys", { name: HALF }, "name"],
  ])(
    "a text with half of a surrogate pair is refused, because it would be stored as another text: %s %j",
    async (path, body, field) => {
      const { server } = await tenant();
      const refused = await server.post(path, body);
      // Compared separately, because the report of a failed test cannot contain such a text either.
      expect(refused.status).toBe(400);
      expect(refused.body).toBe(`${field}: must not contain unpaired surrogates`);
    },
  );

  it("an unpaired surrogate in a field's name is refused, and all such names are listed", async () => {
    const { server } = await tenant();
    const headers = { ...server.headers, accept: "application/problem+json" };
    const body = { name: HALF, schema: { [`x${HALF}`]: 1 }, tags: [HALF] };
    const { errors } = (await call<Problem>("POST", "/api/v1/tools", { headers, body })).body;
    expect(errors).toMatchObject([
      { field: "name", code: "invalid" },
      { field: "schema.x\ufffd", code: "invalid_name" },
      { field: "tags.0", code: "invalid" },
    ]);
  });

  it("a surrogate pair is stored as it was sent", async () => {
    const { server } = await tenant();
    const sent = { name: "whole", title: "😀", content: "a\u0000b 𝕏" };
    const created = await server.post<{ id: string }>("/api/v1/faqs", sent);
    expect([created.status, created.body]).toMatchObject([201, sent]);
    expect((await server.get("/api/v1/faqs/whole")).body).toEqual(created.body);
  });
});

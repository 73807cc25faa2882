import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";

describe("API keys: security", () => {
  it("refuses a revoked key on the very next request", async () => {
    const { user, server, key } = await tenant();
    expect((await server.get("/api/v1/agents")).status).toBe(200);
    expect((await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true })).status).toBe(204);
    const refused = await server.get("/api/v1/agents");
    expect([refused.status, refused.code]).toEqual([403, "key_revoked"]);
  });

  it("refuses a key that mints, changes or deletes keys", async () => {
    const { server, key } = await tenant();
    for (const answer of [
      await server.post("/api/v1/api-keys", { name: "x" }),
      await server.patch(`/api/v1/api-keys/${key.id}`, { disabled: true }),
      await server.delete(`/api/v1/api-keys/${key.id}`),
    ]) {
      expect([answer.status, answer.code]).toEqual([403, "console_required"]);
    }
  });
});

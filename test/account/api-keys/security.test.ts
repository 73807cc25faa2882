import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { Client, tenant } from "../../support/client.ts";

describe("the API keys endpoint", () => {
  it("stores nothing for a key of an invented account", async () => {
    const account = `invented-${crypto.randomUUID().slice(0, 8)}`;
    const stranger = new Client({ authorization: `Bearer ${mintSecret(`sk_live_${account}`)}` });
    expect((await stranger.get("/api/v1/agents")).status).toBe(401);
    const tables = await runInDurableObject(env.ACCOUNT_GATE.getByName(account), (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    );
    expect(tables).toEqual([]);
  });

  it("refuses a revoked key on the very next request", async () => {
    const { user, server, key } = await tenant();
    expect((await server.get("/api/v1/agents")).status).toBe(200);
    expect((await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true })).status).toBe(204);
    const refused = await server.get("/api/v1/agents");
    expect([refused.status, refused.code]).toEqual([403, "key_revoked"]);
  });

  it("refuses a key that creates, changes or deletes keys", async () => {
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

describe("a key revoked under load", () => {
  it.each(["PATCH", "DELETE"])(
    "a key revoked by %s is refused in every request sent after the response",
    async (method) => {
      const { user, server, key } = await tenant();
      await server.get("/api/v1/agents");
      let revoked = false;
      const late: number[] = [];
      const traffic = async () => {
        for (let after = 0; after < 5; ) {
          const sentAfter = revoked;
          const { status } = await server.get("/api/v1/agents");
          if (!sentAfter) continue;
          late.push(status);
          after++;
        }
      };
      const revoke = async () => {
        await server.get("/api/v1/agents");
        const path = `/api/v1/api-keys/${key.id}`;
        const answer = method === "PATCH" ? await user.patch(path, { disabled: true }) : await user.delete(path);
        expect(answer.status).toBe(204);
        revoked = true;
      };
      await Promise.all([...Array.from({ length: 16 }, traffic), revoke()]);
      expect((await server.get("/api/v1/agents")).status).toBe(403);
      expect(late).toEqual(Array(16 * 5).fill(403));
    },
  );

  it("fails verifications that are in progress in a gate that was just started", async () => {
    const { user, server, key } = await tenant();
    const early = Array.from({ length: 20 }, () => server.get("/api/v1/agents"));
    const change = await user.patch(`/api/v1/api-keys/${key.id}`, { disabled: true });
    expect(change.status).toBe(204);
    expect((await server.get("/api/v1/agents")).status).toBe(403);
    for (const { status } of await Promise.all(early)) expect([200, 403]).toContain(status);
    expect((await server.get("/api/v1/agents")).status).toBe(403);
  });
});

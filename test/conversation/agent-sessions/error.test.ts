import { describe, expect, it } from "vitest";
import { runtimeFor } from "../../support/runtime.ts";
import { sessionOf, sessionPath, withAgent } from "./support.ts";

describe("a session to try an agent", () => {
  it("answers 404 for an unknown agent, a deleted one and an invalid id", async () => {
    const { user, agentId } = await withAgent();
    await user.delete(`/api/v1/agents/${agentId}`);
    for (const id of [agentId, crypto.randomUUID(), "ada"]) {
      const { status, code } = await user.post(sessionPath(id));
      expect([status, code]).toEqual([404, "not_found"]);
    }
  });

  it("accepts only texts as variables, and at most as many as fit into a token", async () => {
    const who = await withAgent();
    const { user, agentId } = who;
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, "x"]));
    const refused = {
      "a number": { variables: { age: 7 } },
      "a list": { variables: ["Ann"] },
      "too many names": { variables: names(65) },
      "too long": { variables: { text: "x".repeat(4096) } },
      "too long in bytes": { variables: { text: "ü".repeat(2045) } },
      "no object": [],
    };
    for (const [what, body] of Object.entries(refused)) {
      expect.soft((await user.post(sessionPath(agentId), body)).status, what).toBe(400);
    }
    for (const variables of [{}, names(64), { text: "ü".repeat(2042) }, { quoted: '"'.repeat(2040) }]) {
      const { access_token } = await sessionOf(user, agentId, { variables });
      const { status, body } = await runtimeFor(who, access_token).get("/api/runtime/v1/session");
      expect([status, body]).toMatchObject([200, { variables }]);
    }
  });

  it("returns its token once when a request is repeated under an idempotency key", async () => {
    const { server, agentId } = await withAgent();
    const ask = () => server.send("POST", sessionPath(agentId), undefined, { "idempotency-key": "once" });
    const [first, again] = [await ask(), await ask()];
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(Object.assign({}, first.body, { access_token: null }));
  });
});

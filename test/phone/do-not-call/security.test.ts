import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../support/client.ts";
import { caller, originate } from "../calls/support.ts";

describe("the do-not-call list and other accounts", () => {
  it("the do-not-call list requires a credential", async () => {
    for (const method of ["GET", "POST"]) expect((await call(method, "/api/v1/do-not-call")).status).toBe(401);
  });

  it("the do-not-call list stops only its own account from calling", async () => {
    const [one, other] = [await caller(), await caller()];
    await one.server.post("/api/v1/do-not-call", { numbers: ["+13035550110"] });
    expect((await originate(one, "+13035550110")).status).toBe(400);
    expect((await originate(other, "+13035550110")).status).toBe(200);
    expect((await other.server.get("/api/v1/do-not-call")).body).toMatchObject({ total: 0 });
  });

  it("the audit log contains every change of the do-not-call list", async () => {
    const { server, account } = await caller();
    for (let i = 0; i < 2; i++) await server.post("/api/v1/do-not-call", { numbers: ["+13035550110"] });
    await server.delete("/api/v1/do-not-call/+13035550110");
    const { results } = await env.DB.prepare(
      "SELECT action FROM audit_log WHERE account = ? AND resource = 'do_not_call' ORDER BY at, id",
    )
      .bind(account)
      .all<{ action: string }>();
    expect(results.map(({ action }) => action)).toEqual(["create", "delete"]);
  });
});

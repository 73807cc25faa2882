import { describe, expect, it } from "vitest";
import { call, tenant } from "../../support/client.ts";
import { caller, originate, setCaps } from "../calls/support.ts";

describe("call limits and other callers", () => {
  it("call limits require a credential", async () => {
    expect((await call("GET", "/api/v1/call-limits")).status).toBe(401);
  });

  it("call limits count only the account's own calls", async () => {
    const [one, other] = [await caller(), await caller()];
    await setCaps(one.account, { concurrent_calls: 1 });
    expect((await originate(one, "+13035550106")).status).toBe(200);
    expect((await originate(one, "+13035550106")).status).toBe(429);
    expect((await originate(other, "+13035550106")).status).toBe(200);
  });

  it("an account cannot change its own call limits", async () => {
    const { user, server, account } = await tenant();
    for (const client of [user, server]) {
      const answer = await client.patch(`/api/admin/v1/accounts/${account}`, { caps: { concurrent_calls: 9_999 } });
      expect(answer.status).toBe(403);
    }
  });
});

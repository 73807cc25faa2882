import { describe, expect, it } from "vitest";
import { ROLES, scopesOf } from "../../../src/kernel/scopes.ts";
import { Client, consoleUser, tenant } from "../../support/client.ts";

interface CurrentSession {
  account: string;
  user_id: string;
  role: string;
  scopes: string[];
}

describe("GET /api/session", () => {
  it.each(ROLES)("the current session has the scopes of the role %s", async (role) => {
    const { account } = await tenant();
    const member = await consoleUser(account, role);
    const { status, body } = await member.get<CurrentSession>("/api/session");
    expect([status, body]).toEqual([200, { account, user_id: expect.any(String), role, scopes: scopesOf(role) }]);
  });

  it("refuses API keys and other accounts", async () => {
    const { user, server, account } = await tenant();
    const other = await tenant();
    expect((await server.get("/api/session")).code).toBe("console_required");
    const elsewhere = await new Client({ ...user.headers, "x-account-id": other.account }).get("/api/session");
    expect([elsewhere.status, elsewhere.code]).toEqual([403, "account_mismatch"]);
    expect((await user.get<CurrentSession>("/api/session")).body.account).toBe(account);
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { issueConsoleToken } from "../../../src/account/auth/console-token.ts";
import { operator, tenant } from "../../support/client.ts";
import { bearer, person } from "../../support/person.ts";

const ADMIN = "/api/admin/v1/accounts";
const AGENTS = "/api/v1/agents";

describe("sessions_valid_after", () => {
  it("sessions_valid_after is shown with the account and accepts a time in any zone", async () => {
    const [admin, { account }] = [await operator(), await tenant()];
    const of = (body: unknown) => (body as { sessions_valid_after: string | null }).sessions_valid_after;
    expect(of((await admin.get(`${ADMIN}/${account}`)).body)).toBeNull();
    const set = async (sessions_valid_after: unknown) => admin.patch(`${ADMIN}/${account}`, { sessions_valid_after });
    expect(of((await set("2026-01-02T03:04:05+02:00")).body)).toBe("2026-01-02T01:04:05.000Z");
    expect(of((await admin.get(`${ADMIN}/${account}`)).body)).toBe("2026-01-02T01:04:05.000Z");
    await admin.patch(`${ADMIN}/${account}`, { listed: false });
    expect(of((await admin.get(`${ADMIN}/${account}`)).body)).toBe("2026-01-02T01:04:05.000Z");
    expect(of((await set(null)).body)).toBeNull();
    for (const wrong of ["yesterday", 1_760_000_000, "", new Date(Date.now() + 3_600_000).toISOString()]) {
      expect((await set(wrong)).status).toBe(400);
    }
  });

  it("ends earlier sessions, keeps later ones, and does not affect keys and other accounts", async () => {
    const [admin, { account, server }] = [await operator(), await tenant()];
    const [who, elsewhere] = [await person(account), await person((await tenant()).account)];
    const at = Date.now() - 60_000;
    const begun = async (when: number) => bearer(await issueConsoleToken(env, who, when), account);
    const [before, then, after] = [await begun(at - 1), await begun(at), await begun(at + 1)];
    const see = async () =>
      Promise.all(
        [before, then, after, server, elsewhere.client].map(async (client) => (await client.get(AGENTS)).status),
      );
    expect(await see()).toEqual([200, 200, 200, 200, 200]);
    await admin.patch(`${ADMIN}/${account}`, { sessions_valid_after: new Date(at).toISOString() });
    expect(await see()).toEqual([401, 200, 200, 200, 200]);
    await admin.patch(`${ADMIN}/${account}`, { sessions_valid_after: null });
    expect(await see()).toEqual([200, 200, 200, 200, 200]);
  });

  it("signs operators out, who can change nothing else in their account", async () => {
    const [admin, who] = [await operator(), await person("service-admin")];
    const old = bearer(await issueConsoleToken(env, who, Date.now() - 3_000_000), "service-admin");
    expect((await old.get(ADMIN)).status).toBe(200);
    const sessions_valid_after = new Date(Date.now() - 2_900_000).toISOString();
    for (const body of [{}, { listed: true }, { listed: true, sessions_valid_after }]) {
      expect((await admin.patch(`${ADMIN}/service-admin`, body)).status).toBe(404);
    }
    expect((await old.get(ADMIN)).status).toBe(200);
    expect((await admin.patch(`${ADMIN}/service-admin`, { sessions_valid_after })).status).toBe(200);
    expect((await old.get(ADMIN)).status).toBe(401);
    expect((await who.client.get(ADMIN)).status).toBe(200);
    await admin.patch(`${ADMIN}/service-admin`, { sessions_valid_after: null });
  });
});

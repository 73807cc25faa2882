import { afterEach, describe, expect, it, vi } from "vitest";
import { operator, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { provider } from "../../support/provider.ts";

const ADMIN = "/api/admin/v1/accounts";
const SECOND = 1_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Creates an account, another one, and a user of the provider for both and for one that does not exist. */
async function world() {
  const [admin, one, two] = [await operator(), await tenant(), await tenant()];
  const ghost = `ghost-${crypto.randomUUID().slice(0, 8)}`;
  const idp = await provider();
  const accounts = [one.account, ghost, two.account, "service-admin"];
  const now = Math.floor(Date.now() / SECOND);
  const token = (iat = now) => idp.token({ accounts, iat, exp: now + 600 });
  const see = async (of: string, ...names: string[]) =>
    Promise.all(
      names.map(async (name) => (await idp.as(of, name, name === "service-admin" ? ADMIN : undefined)).status),
    );
  return { admin, one, two, ghost, idp, now, token, see };
}

describe("a session at an identity provider", () => {
  it("signing out at the provider ends the session in every account, but not the user's other session", async () => {
    const { one, two, ghost, idp, now, token, see } = await world();
    const [session, other] = [await token(), await token(now - 1)];
    const everywhere = [one.account, two.account, "service-admin"];
    expect(await see(session, ...everywhere)).toEqual([200, 200, 200]);
    const answer = await idp.as(session, two.account, "/api/logout", { method: "POST" });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await see(session, ...everywhere)).toEqual([401, 401, 401]);
    expect(await see(other, ...everywhere)).toEqual([200, 200, 200]);
    expect(await see(session, ghost)).toEqual([403]);
    const { entries } = (await two.user.get<{ entries: unknown[] }>("/api/v1/audit-log")).body;
    expect(entries[0]).toMatchObject({ action: "sign_out", actor: expect.stringMatching(/^console:[0-9a-f-]{36}$/) });
  });

  it("a provider's session that began before sessions_valid_after is over", async () => {
    const { admin, one, two, now, token, see } = await world();
    const [before, after] = [await token(now - 10), await token(now - 4)];
    const at = new Date((now - 5) * SECOND).toISOString();
    expect(await see(before, one.account)).toEqual([200]);
    await admin.patch(`${ADMIN}/${one.account}`, { sessions_valid_after: at });
    expect(await see(before, one.account, two.account)).toEqual([401, 200]);
    expect(await see(after, one.account, two.account)).toEqual([200, 200]);
  });

  it("a provider's session that began in the second of the sign-out has ended", async () => {
    const { admin, one, now, token, see } = await world();
    const session = await token(now - 5);
    const at = new Date((now - 5) * SECOND + 1).toISOString();
    await admin.patch(`${ADMIN}/${one.account}`, { sessions_valid_after: at });
    expect(await see(session, one.account)).toEqual([401]);
  });

  it("cannot change a password", async () => {
    const { one, idp, token } = await world();
    const body = JSON.stringify({ current_password: "whatever it is", new_password: "battery staple" });
    const answer = await idp.as(await token(), one.account, "/api/password", { method: "POST", body });
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([403, "external_identity"]);
  });

  it("notifies the gates of existing accounts at its sign-out, and creates none for others", async () => {
    const { one, idp, token } = await world();
    const session = await token();
    // The first request makes its user a member, which takes more round trips.
    await idp.as(session, one.account);
    const headers = { authorization: `Bearer ${session}`, "x-account-id": one.account };
    const trips = await countRoundTrips("/api/logout", headers, { method: "POST", env: idp.vars });
    // Objects: the account's gate admits the request, then the gates of the three existing accounts are notified. D1:
    // the look-up of which accounts exist, and the audit log.
    expect(trips).toMatchObject({ status: 204, objects: 4, d1: 2 });
  });
});

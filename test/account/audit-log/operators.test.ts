import { afterEach, describe, expect, it } from "vitest";
import { breakD1, repair } from "../../support/broken-d1.ts";
import { call, operator, tenant } from "../../support/client.ts";
import { type Log, log, operatorsLog } from "./support.ts";

const ADMIN = "/api/admin/v1/accounts";
const person = { email: "ann@new.example", password: "correct horse battery", name: "Ann" };

afterEach(repair);

describe("the operators' audit log", () => {
  it("contains every change of accounts and users, as in the account's own log, with the account's name", async () => {
    const admin = await operator();
    const { account, user } = await tenant({ plan: "starter" });
    const ann = (await admin.post<{ id: string }>(`${ADMIN}/${account}/users`, person)).body.id;
    await admin.patch(`${ADMIN}/${account}`, { plan: "scale" });
    const removed = await admin.delete(`${ADMIN}/${account}/users/${ann}`);
    const about = await operatorsLog(admin, `account=${account}`);
    expect(about.map(({ action, resource, resource_id }) => [action, resource, resource_id])).toEqual([
      ["delete", "user", ann],
      ["update", "account", account],
      ["create", "user", ann],
      ["create", "account", account],
    ]);
    expect(about[0]?.request_id).toBe(removed.headers.get("x-request-id"));
    expect(about[1]?.changes).toEqual({ plan: { from: "starter", to: "scale" } });
    expect(new Set(about.map((entry) => entry.account))).toEqual(new Set([account]));
    const own = (await log(user)).filter(({ resource }) => ["account", "user"].includes(resource));
    const without = ({ id: _, account: __, ...rest }: (typeof about)[number]) => rest;
    expect(about.map(without)).toEqual(own.map(without));
    expect(own.every((entry) => !("account" in entry) && !("about_account" in entry))).toBe(true);
    expect(JSON.stringify([about, own])).not.toContain(person.password);
  });

  it("filters by account, action, resource, actor and time, by page", async () => {
    const [admin, other] = [await operator(), await operator()];
    const name = `acc-${crypto.randomUUID().slice(0, 8)}`;
    await admin.post(ADMIN, { name });
    await other.patch(`${ADMIN}/${name}`, { listed: true });
    const [update, create] = await operatorsLog(admin, `account=${name}`);
    expect([update?.action, create?.action]).toEqual(["update", "create"]);
    const actor = encodeURIComponent(update?.actor ?? "");
    const page = (query: string) => admin.get<Log>(`/api/admin/v1/audit-log?account=${name}&${query}`);
    expect((await page("limit=1&offset=1")).body).toMatchObject({ total: 2, entries: [create], limit: 1, offset: 1 });
    expect((await page("action=update&resource=account")).body.entries).toEqual([update]);
    expect((await page(`until=${create?.at}`)).body.entries).toEqual([]);
    expect(await operatorsLog(admin, `actor=${actor}`)).toEqual([update]);
    for (const bad of ["account=No Name", "account=", "since=now", "action=", "limit=101"]) {
      expect((await admin.get(`/api/admin/v1/audit-log?${bad}`)).status, bad).toBe(400);
    }
  });

  it("contains changes of users of the operators' own account once", async () => {
    const admin = await operator();
    const email = `${crypto.randomUUID()}@ops.example`;
    const { id } = (await admin.post<{ id: string }>(`${ADMIN}/service-admin/users`, { ...person, email })).body;
    const entries = (await operatorsLog(admin, "resource=user")).filter(({ resource_id }) => resource_id === id);
    expect(entries).toMatchObject([{ action: "create", account: "service-admin" }]);
  });

  it("contains re-encryptions with their counts", async () => {
    const admin = await operator();
    const done = await admin.post<object>("/api/admin/v1/rekey");
    const [entry] = await operatorsLog(admin, "action=reencrypt");
    const counts = Object.entries(done.body).map(([name, to]) => [name, { from: null, to }]);
    expect(entry).toMatchObject({ resource: "secrets", account: null, changes: Object.fromEntries(counts) });
    expect(entry?.request_id).toBe(done.headers.get("x-request-id"));
  });

  it.each(["account", "operators"])(
    "an operator's audit entry is written together with the account's, or neither is: %s",
    async (broken) => {
      const [admin, { account, user }] = [await operator(), await tenant({ plan: "starter" })];
      await breakD1(broken === "account" ? account : "service-admin", ["audit_log"], ["INSERT"]);
      const failed = [
        await admin.patch(`${ADMIN}/${account}`, { plan: "scale" }),
        await admin.post(`${ADMIN}/${account}/users`, person),
      ];
      expect(failed.map(({ status }) => status)).toEqual([500, 500]);
      await repair();
      expect((await admin.get(`${ADMIN}/${account}`)).body).toMatchObject({ plan: "starter" });
      expect((await operatorsLog(admin, `account=${account}`)).map(({ action }) => action)).toEqual(["create"]);
      expect(await log(user, "resource=user")).toEqual([]);
    },
  );

  it("only operators see the operators' audit log", async () => {
    const { user, server } = await tenant();
    for (const who of [user, server]) expect((await who.get("/api/admin/v1/audit-log")).status).toBe(403);
    expect((await call("GET", "/api/admin/v1/audit-log")).status).toBe(401);
    const everything = await operatorsLog(await operator());
    expect(
      everything.every(({ resource }) => ["account", "user", "secrets", "operator_token"].includes(resource)),
    ).toBe(true);
  });

  it("omits attempts that changed nothing", async () => {
    const admin = await operator();
    const { account } = await tenant();
    const name = `acc-${crypto.randomUUID().slice(0, 8)}`;
    const before = (await operatorsLog(admin, `account=${account}`)).length;
    await admin.delete(`${ADMIN}/${account}/users/${crypto.randomUUID()}`);
    await admin.patch(`${ADMIN}/${name}`, { plan: "scale" });
    await Promise.all([1, 2, 3].map(() => admin.post(ADMIN, { name })));
    expect(await operatorsLog(admin, `account=${account}`)).toHaveLength(before);
    expect((await operatorsLog(admin, `account=${name}`)).map(({ action }) => action)).toEqual(["create"]);
  });
});

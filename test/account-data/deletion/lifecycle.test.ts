import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SETTLE_MS } from "../../../src/account-data/deletion/steps/settle.ts";
import { wakeDeletions } from "../../../src/account-data/deletion/wake.ts";
import { accountDeletion } from "../../../src/kernel/durable/objects.ts";
import { DAY_MS } from "../../../src/kernel/time.ts";
import { call, operator, tenant } from "../../support/client.ts";
import { adminPath, give, take } from "../backup/support.ts";
import {
  completed,
  type Deletion,
  deletionPath,
  disable,
  hurry,
  idsOf,
  leftOf,
  requested,
  scheduled,
} from "./support.ts";

const cancel = async (account: string) => (await operator()).post<Deletion>(`${deletionPath(account)}/cancel`);
const fresh = () => `r-${crypto.randomUUID().slice(0, 12)}`;

afterEach(() => {
  vi.useRealTimers();
});

describe("the deletion of an account", () => {
  it("the deletion of an account is scheduled for a week later", async () => {
    const { account } = await tenant();
    const deletion = await scheduled(account);
    expect(Date.parse(deletion.begins_at) - Date.parse(deletion.requested_at)).toBe(7 * DAY_MS);
    expect(deletion).toMatchObject({ account, step: null, begun_at: null, deleted: { objects: 0, files: 0, rows: 0 } });
    expect((await (await operator()).get(deletionPath(account))).body).toEqual(deletion);
  });

  it("does not begin before its time", async () => {
    const { account } = await tenant();
    const deletion = await scheduled(account);
    await runDurableObjectAlarm(accountDeletion(env, account) as DurableObjectStub);
    expect((await (await operator()).get(deletionPath(account))).body).toEqual(deletion);
  });

  it("changes nothing if it is requested again", async () => {
    const { account } = await tenant();
    const deletion = await scheduled(account);
    expect(await requested(account)).toMatchObject({ status: 202, body: deletion });
  });

  it("the cron begins a deletion whose alarm was lost", async () => {
    const { account } = await tenant();
    await scheduled(account);
    await env.DB.prepare("UPDATE account_deletions SET begins_at = '2020-01-01T00:00:00.000Z' WHERE account = ?")
      .bind(account)
      .run();
    await wakeDeletions(env, Date.now());
    await expect
      .poll(async () => (await (await operator()).get<Deletion>(deletionPath(account))).body.status)
      .toBe("running");
  });

  it("can be cancelled, which leaves the account as it was, and requested again", async () => {
    const { account, server } = await tenant();
    await scheduled(account);
    expect(await cancel(account)).toMatchObject({ status: 200, body: { status: "cancelled" } });
    expect(await cancel(account)).toMatchObject({ status: 200, body: { status: "cancelled" } });
    await hurry(account);
    const who = await operator();
    expect((await who.patch(adminPath(account), { disabled: false })).status).toBe(200);
    expect((await server.get("/api/v1/agents")).status).toBe(200);
    await scheduled(account);
  });

  it("keeps the account closed until it is cancelled", async () => {
    const { account, server } = await tenant();
    await scheduled(account);
    expect(await (await operator()).patch(adminPath(account), { disabled: false })).toMatchObject({
      status: 409,
      code: "to_be_deleted",
    });
    expect((await server.get("/api/v1/agents")).code).toBe("account_closed");
  });

  it("the operators' log records a deletion without names of members", async () => {
    const { account } = await tenant();
    const who = await operator();
    const user = { email: `ada@${account}.example`, password: "a long enough password", name: "Ada Byron" };
    expect((await who.post(`${adminPath(account)}/users`, user)).status).toBe(201);
    await scheduled(account);
    await completed(account);
    const { results } = await env.DB.prepare(
      "SELECT action, resource_name, changes FROM audit_log WHERE account = 'service-admin' AND about_account = ? ORDER BY at, id",
    )
      .bind(account)
      .all<{ action: string; resource_name: string | null; changes: string | null }>();
    expect(results.map(({ action }) => action)).toEqual(["create", "create", "update", "schedule_deletion", "delete"]);
    expect(results.map(({ resource_name }) => resource_name)).toEqual([null, null, null, null, null]);
    expect(JSON.parse(results.at(-1)?.changes ?? "")).toMatchObject({ rows: { from: null } });
  });

  it("begins at once for an interrupted restore", async () => {
    const { account } = await tenant();
    const taken = await take(account);
    const as = fresh();
    const backup = crypto.randomUUID();
    await give(await operator(), taken, as, backup);
    const known = await idsOf(as);
    const { status, body } = await requested(as, { immediately: true });
    expect([status, body.begins_at]).toEqual([202, body.requested_at]);
    await completed(as);
    expect(await leftOf(as, known)).toEqual([]);
    const path = `${adminPath(as)}/restore`;
    expect((await (await operator()).post(`${path}/finish`, { backup, account: taken.head })).status).toBe(404);
  });
});

describe("a request to delete an account", () => {
  it("deleting an account is refused while it is open", async () => {
    const { account } = await tenant();
    expect(await requested(account)).toMatchObject({ status: 409, code: "account_open" });
  });

  it("deleting an account is refused without its name", async () => {
    const { account } = await tenant();
    await disable(account);
    expect(await requested(account, { confirm: "another" })).toMatchObject({ status: 400, code: "wrong_confirmation" });
    expect((await (await operator()).get(deletionPath(account))).status).toBe(404);
  });

  it("immediate deletion is refused for an account that was open", async () => {
    const { account } = await tenant();
    await disable(account);
    expect(await requested(account, { immediately: true })).toMatchObject({ status: 409, code: "was_open" });
  });

  it.each(["service-admin", "nobody-of-this-name"])("deleting an account is refused for %s", async (account) => {
    expect((await requested(account)).status).toBe(404);
    expect((await cancel(account)).status).toBe(404);
  });

  it("cannot be cancelled once it has begun", async () => {
    const { account } = await tenant();
    await scheduled(account);
    await hurry(account);
    expect(await cancel(account)).toMatchObject({ status: 409, code: "deletion_begun" });
    await completed(account);
    expect(await cancel(account)).toMatchObject({ status: 409, code: "deletion_begun" });
  });

  it("keeps the name from being used again", async () => {
    const { account } = await tenant();
    const taken = await take(account);
    await scheduled(account);
    await completed(account);
    const who = await operator();
    expect(await who.post("/api/admin/v1/accounts", { name: account })).toMatchObject({
      status: 409,
      code: "name_reserved",
    });
    const restore = { backup: crypto.randomUUID(), account: taken.head };
    expect(await who.put(`${adminPath(account)}/restore`, restore)).toMatchObject({
      status: 409,
      code: "name_reserved",
    });
  });
});

describe("the deletion of an account", () => {
  it("requires a code of an operator who has a second factor", async () => {
    const { account } = await tenant();
    await disable(account);
    const who = await operator();
    const { secret } = (await who.post<{ secret: string }>("/api/second-factor", {})).body;
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    expect((await who.post("/api/second-factor/confirm", { code: codeAt(0) })).status).toBe(200);
    const remove = (code?: string) =>
      who.send("DELETE", adminPath(account), JSON.stringify({ confirm: account, code }), {
        "content-type": "application/json",
      });
    expect(await remove()).toMatchObject({ status: 403, code: "second_factor_required" });
    expect(await remove("000000")).toMatchObject({ status: 403, code: "wrong_code" });
    expect((await who.get(deletionPath(account))).status).toBe(404);
    expect((await remove(codeAt(1))).status).toBe(202);
  });

  it("only operators can delete an account", async () => {
    const { account, user, server } = await tenant();
    for (const who of [user, server]) {
      expect((await who.get(deletionPath(account))).status).toBe(403);
      expect((await who.post(`${deletionPath(account)}/cancel`)).status).toBe(403);
      const body = JSON.stringify({ confirm: account });
      expect((await who.send("DELETE", adminPath(account), body, { "content-type": "application/json" })).status).toBe(
        403,
      );
    }
  });

  it("leaves nothing that opens the account with a credential from before", async () => {
    const { account, user, server, key } = await tenant();
    await server.get("/api/v1/agents");
    const known = await idsOf(account);
    await scheduled(account);
    await completed(account);
    // By then, every isolate that had cached the account has read it again.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SETTLE_MS });
    for (const who of [user, server]) expect([401, 403]).toContain((await who.get("/api/v1/agents")).status);
    const email = `owner@${account}.example`;
    await call("POST", "/api/login", { body: { account, email, password: "a long enough password" } });
    await call("POST", `/webhooks/twilio/${account}/${crypto.randomUUID()}`, { raw: "x" });
    const who = await operator();
    for (const path of [adminPath(account), `${adminPath(account)}/users`, `${adminPath(account)}/backup`])
      await who.get(path);
    expect((await who.post("/api/admin/v1/accounts", { name: account })).status).toBe(409);
    expect((await who.patch(adminPath(account), { disabled: false })).status).toBe(404);
    expect(key.id).toBeTruthy();
    expect(await leftOf(account, known)).toEqual([]);
  });
});

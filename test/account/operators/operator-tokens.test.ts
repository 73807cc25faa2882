import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { mintSecret } from "../../../src/kernel/secrets/api-key.ts";
import { sha256Hex } from "../../../src/kernel/secrets/hashing.ts";
import { adminPath, freshKey } from "../../account-data/backup/support.ts";
import { Client, operator, tenant } from "../../support/client.ts";

/** The job's address, as Cloudflare reports it. */
const ADDRESS = "203.0.113.7";
const FROM = { "cf-connecting-ip": ADDRESS };
const TOKENS = "/api/admin/v1/tokens";
const ACCOUNTS = "/api/admin/v1/accounts";

interface Token {
  id: string;
  token: string;
  last8: string;
  expires_at: string;
}
interface Entry {
  actor: string;
  actor_name: string | null;
  action: string;
  resource_id: string;
  resource_name: string | null;
  account?: string | null;
}
interface Log {
  entries: Entry[];
}

const jobWith = (token: string) => new Client(Object.assign({ authorization: `Bearer ${token}` }, FROM));

/** Creates a token with this body and some defaults, and a job that presents it. */
async function tokenOf(body: Record<string, unknown>): Promise<Token & { job: Client }> {
  const defaults = { name: "Nightly", allowed_addresses: [ADDRESS], expires_in_days: 30 };
  const created = await (await operator()).post<Token>(TOKENS, Object.assign(defaults, body));
  expect(created.status).toBe(201);
  return Object.assign({ job: jobWith(created.body.token) }, created.body);
}

const answered = async (answer: Promise<{ status: number; code: string | null }>) => {
  const { status, code } = await answer;
  return `${status} ${code}`;
};

describe("operator tokens", () => {
  it("a token is shown once and stored as its hash alone", async () => {
    const { id, token, last8 } = await tokenOf({ scopes: ["backup"] });
    expect(token).toMatch(/^op_live_[0-9A-Za-z]{38}$/);
    const { tokens } = (await (await operator()).get<{ tokens: Record<string, unknown>[] }>(TOKENS)).body;
    const listed = tokens.find((one) => one.id === id);
    expect(listed).toMatchObject({ name: "Nightly", last8, scopes: ["backup"], accounts: null, last_used_at: null });
    expect(JSON.stringify(tokens)).not.toContain(token);
    const row = await env.DB.prepare("SELECT * FROM operator_tokens WHERE id = ?").bind(id).first();
    expect(row).toMatchObject({ account: "service-admin", hash: await sha256Hex(token) });
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it("a token expires after 90 days by default", async () => {
    const before = Date.now();
    const { expires_at } = await tokenOf({ scopes: ["backup"], expires_in_days: undefined });
    const days = (Date.parse(expires_at) - before) / 86_400_000;
    expect([days >= 90, days < 90.1]).toEqual([true, true]);
  });

  it("creating and revoking a token is recorded in the operators' log with its name", async () => {
    const { id } = await tokenOf({ name: "Audited", scopes: ["backup"] });
    const admin = await operator();
    expect((await admin.delete(`${TOKENS}/${id}`)).status).toBe(204);
    const { entries } = (await admin.get<Log>("/api/admin/v1/audit-log?resource=operator_token&limit=100")).body;
    const own = entries.filter((entry) => entry.resource_id === id);
    expect(own.map(({ action, resource_name }) => [action, resource_name])).toEqual([
      ["delete", "Audited"],
      ["create", "Audited"],
    ]);
  });

  it("`backup` reads an account, which finds the token in its own audit log", async () => {
    const [{ account, user }, { id, job }] = [await tenant(), await tokenOf({ scopes: ["backup"] })];
    expect(await answered(job.get(ACCOUNTS))).toBe("200 null");
    expect(await answered(job.post(`${adminPath(account)}/backup`))).toBe("200 null");
    const page = { key: freshKey(), after: null };
    for (let n = 0; n < 2; n++)
      expect(await answered(job.post(`${adminPath(account)}/backup/pages`, page))).toBe("200 null");
    const { entries } = (await user.get<Log>("/api/v1/audit-log?action=backup")).body;
    expect(entries.map(({ actor, actor_name }) => [actor, actor_name])).toEqual([[`operator_token:${id}`, "Nightly"]]);
    const log = await (await operator()).get<Log>(`/api/admin/v1/audit-log?action=backup&account=${account}`);
    expect(log.body.entries.map(({ actor }) => actor)).toEqual([`operator_token:${id}`]);
  });

  it("pages and files that are read without beginning a backup are recorded in the account's audit log too", async () => {
    const [{ account, user }, { id, job }] = [await tenant(), await tokenOf({ scopes: ["backup"] })];
    const file = `${adminPath(account)}/backup/files/recordings/${crypto.randomUUID()}`;
    expect(await answered(job.get(file))).toBe("404 not_found");
    await job.post(`${adminPath(account)}/backup/pages`, { key: freshKey(), after: null });
    const { entries } = (await user.get<Log>("/api/v1/audit-log?action=backup")).body;
    expect(entries.map(({ actor }) => actor)).toEqual([`operator_token:${id}`]);
  });

  it("`accounts` creates accounts and changes their plan, caps and quotas", async () => {
    const { job } = await tokenOf({ scopes: ["accounts"] });
    const name = `made-${crypto.randomUUID().slice(0, 8)}`;
    expect(await answered(job.post(ACCOUNTS, { name, plan: "starter" }))).toBe("201 null");
    const changes = { plan: "growth", caps: { concurrent_calls: 3 }, quotas: { agents: 7 } };
    expect((await job.patch(`${ACCOUNTS}/${name}`, changes)).body).toMatchObject({
      plan: "growth",
      caps: { concurrent_calls: 3 },
      quotas: { agents: 7 },
    });
    expect(await answered(job.get(`${ACCOUNTS}/${name}`))).toBe("200 null");
    expect(await answered(job.get("/api/admin/v1/plans"))).toBe("200 null");
  });

  it("`metrics` reads the metrics and each account's usage, even without METRICS_TOKEN", async () => {
    const { job } = await tokenOf({ scopes: ["metrics"] });
    const metrics = await job.get<string>("/metrics");
    expect([metrics.status, metrics.body]).toEqual([200, expect.stringContaining("switchboard_accounts")]);
    expect(await answered(job.get("/api/admin/v1/usage"))).toBe("200 null");
  });

  it("a token's last use is recorded", async () => {
    const { id, job } = await tokenOf({ scopes: ["backup"] });
    await job.get(ACCOUNTS);
    const { tokens } = (await (await operator()).get<{ tokens: { id: string; last_used_at: string }[] }>(TOKENS)).body;
    expect(tokens.find((one) => one.id === id)?.last_used_at).toMatch(/^\d{4}-/);
  });
});

describe("operator tokens", () => {
  it.each([
    ["no scope", { scopes: [] }],
    ["an unknown scope", { scopes: ["rekey"] }],
    ["no address", { scopes: ["backup"], allowed_addresses: [] }],
    ["addresses left out", { scopes: ["backup"], allowed_addresses: undefined }],
    ["an invalid address", { scopes: ["backup"], allowed_addresses: ["home"] }],
    ["more than 90 days", { scopes: ["backup"], expires_in_days: 91 }],
    ["an account that does not exist", { scopes: ["backup"], accounts: ["nobody-here"] }],
    ["the operators' own account", { scopes: ["backup"], accounts: ["service-admin"] }],
  ])("a token with %s is not created", async (_, body) => {
    const defaults = { name: "Nightly", allowed_addresses: [ADDRESS] };
    expect((await (await operator()).post(TOKENS, Object.assign(defaults, body))).status).toBe(400);
  });

  it("`metrics` limited to some accounts is refused, because metrics cover all accounts", async () => {
    const { account } = await tenant();
    const body = { name: "m", scopes: ["metrics"], allowed_addresses: [ADDRESS], accounts: [account] };
    expect((await (await operator()).post(TOKENS, body)).status).toBe(400);
  });

  it("an unknown token cannot be revoked", async () => {
    expect(await answered((await operator()).delete(`${TOKENS}/${crypto.randomUUID()}`))).toBe("404 not_found");
  });
});

describe("operator tokens", () => {
  it("a revoked token is unknown from the next request on", async () => {
    const { id, job } = await tokenOf({ scopes: ["backup"] });
    expect(await answered(job.get(ACCOUNTS))).toBe("200 null");
    await (await operator()).delete(`${TOKENS}/${id}`);
    expect(await answered(job.get(ACCOUNTS))).toBe("401 token_invalid");
  });

  it("an expired token is unknown", async () => {
    const { id, job } = await tokenOf({ scopes: ["backup"] });
    await env.DB.prepare("UPDATE operator_tokens SET expires_at = ? WHERE id = ?")
      .bind(new Date(Date.now() - 1).toISOString(), id)
      .run();
    expect(await answered(job.get(ACCOUNTS))).toBe("401 token_invalid");
  });

  it("an invented token is unknown, and a mangled one malformed", async () => {
    const shown = (token: string) => answered(jobWith(token).get(ACCOUNTS));
    expect(await shown(mintSecret("op_live"))).toBe("401 token_invalid");
    expect(await shown(`${mintSecret("op_live")}x`)).toBe("401 token_invalid");
    expect(await shown("op_live_")).toBe("400 malformed_token");
    expect(await shown("op_live_acme_x")).toBe("400 malformed_token");
  });

  it("a token is refused from another address", async () => {
    const { job } = await tokenOf({ scopes: ["backup", "metrics"], allowed_addresses: ["198.51.100.0/24"] });
    expect(await answered(job.get(ACCOUNTS))).toBe("403 address_not_allowed");
    expect(await answered(job.get("/metrics"))).toBe("403 address_not_allowed");
  });

  it("a token is limited to its scopes", async () => {
    const { account } = await tenant();
    const path = `${ACCOUNTS}/${account}`;
    const jobs = {
      metrics: (await tokenOf({ scopes: ["metrics"] })).job,
      accounts: (await tokenOf({ scopes: ["accounts"] })).job,
      backup: (await tokenOf({ scopes: ["backup"] })).job,
    };
    const page = { key: freshKey(), after: null };
    const doors: Record<string, (job: Client) => Promise<{ status: number; code: string | null }>> = {
      list: (job) => job.get(ACCOUNTS),
      usage: (job) => job.get("/api/admin/v1/usage"),
      metrics: (job) => job.get("/metrics"),
      plan: (job) => job.patch(path, { plan: "scale" }),
      begin: (job) => job.post(`${path}/backup`),
      pages: (job) => job.post(`${path}/backup/pages`, page),
    };
    const may: Record<string, string[]> = {
      metrics: ["usage", "metrics"],
      accounts: ["list", "plan"],
      backup: ["list", "begin", "pages"],
    };
    for (const [scope, job] of Object.entries(jobs))
      for (const [door, knock] of Object.entries(doors)) {
        const expected = may[scope]?.includes(door) ? "200 null" : "403 missing_scope";
        expect.soft([scope, door, await answered(knock(job))]).toEqual([scope, door, expected]);
      }
  });

  it("no token reaches users, sessions, disabling, restores, keys, the log or tokens", async () => {
    const { account } = await tenant();
    const { job, id } = await tokenOf({ scopes: ["metrics", "accounts", "backup"] });
    const path = `${ACCOUNTS}/${account}`;
    const person = { email: "a@b.example", password: "correct horse" };
    const tries = [
      job.patch(path, { disabled: true }),
      job.patch(path, { sessions_valid_after: "2026-01-01T00:00:00.000Z" }),
      job.patch(path, { plan: "scale", listed: true }),
      job.patch(`${ACCOUNTS}/service-admin`, { sessions_valid_after: "2026-01-01T00:00:00.000Z" }),
      job.get(`${path}/users`),
      job.post(`${path}/users`, person),
      job.delete(`${path}/users/${crypto.randomUUID()}`),
      job.post(`${path}/users/${crypto.randomUUID()}/sign-out`),
      job.put(`${path}/restore`, {}),
      job.put(`${path}/restore/pages`, {}),
      job.post(`${path}/restore/finish`, {}),
      job.post("/api/admin/v1/rekey"),
      job.get("/api/admin/v1/audit-log"),
      job.get(TOKENS),
      job.post(TOKENS, { name: "more", scopes: ["backup"], allowed_addresses: [ADDRESS] }),
      job.delete(`${TOKENS}/${id}`),
      job.post("/api/logout"),
      job.post("/api/second-factor"),
    ];
    for (const one of tries) expect.soft(await answered(one)).toBe("403 console_required");
    for (const own of ["/api/v1/agents", "/api/v1/audit-log"])
      expect.soft(await answered(job.get(own))).toBe("403 forbidden");
    const asTenant = job.get(ACCOUNTS, { "x-account-id": account });
    expect(await answered(asTenant)).toBe("403 account_mismatch");
  });

  it("a token for some accounts neither sees nor reaches any other, nor the operators' own", async () => {
    const [mine, other] = [await tenant(), await tenant()];
    const { job } = await tokenOf({ scopes: ["accounts", "backup"], accounts: [mine.account] });
    const { accounts } = (await job.get<{ accounts: { name: string }[] }>(ACCOUNTS)).body;
    expect(accounts.map(({ name }) => name)).toEqual([mine.account]);
    for (const one of [other.account, "service-admin"]) {
      for (const refused of [
        job.get(`${ACCOUNTS}/${one}`),
        job.patch(`${ACCOUNTS}/${one}`, { plan: "starter" }),
        job.post(`${ACCOUNTS}/${one}/backup`),
        job.post(`${ACCOUNTS}/${one}/backup/pages`, { key: freshKey(), after: null }),
      ])
        expect.soft(await answered(refused)).toBe("403 account_not_allowed");
    }
    expect(await answered(job.post(ACCOUNTS, { name: "another-one" }))).toBe("403 account_not_allowed");
  });

  it("the operators' own account is not backed up", async () => {
    const { job } = await tokenOf({ scopes: ["backup"] });
    const path = adminPath("service-admin");
    expect(await answered(job.post(`${path}/backup`))).toBe("404 not_found");
    expect(await answered(job.post(`${path}/backup/pages`, { key: freshKey(), after: null }))).toBe("404 not_found");
    expect(await answered(job.get(`${path}/backup/files/recordings/x`))).toBe("404 not_found");
  });

  it("a tenant's owner and keys cannot create an operator token", async () => {
    const { user, server } = await tenant();
    for (const client of [user, server]) {
      expect(await answered(client.get(TOKENS))).toBe("403 forbidden");
      expect(await answered(client.post(TOKENS, {}))).toBe("403 forbidden");
    }
  });
});

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { contactsCsv, openStream, until, upload } from "../../campaign/support.ts";
import { type Client, call, consoleUser, operator, type Tenant, tenant } from "../../support/client.ts";
import { claimsOf } from "../../support/widget.ts";
import { setQuotas, use } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("quotas", () => {
  it("an account cannot change its quotas, and outsiders cannot see them", async () => {
    expect((await call("GET", "/api/v1/quotas")).status).toBe(401);
    const { user, server, account } = await tenant();
    for (const client of [user, server]) {
      const answer = await client.patch(`/api/admin/v1/accounts/${account}`, { quotas: { agents: 9_999 } });
      expect(answer.status).toBe(403);
    }
  });

  it("count each account's use separately", async () => {
    const [one, other] = [await tenant(), await tenant()];
    for (const { account } of [one, other]) {
      await setQuotas(account, { agents: 1, open_campaigns: 1, event_streams: 1, uploads: 1 });
    }
    const fill = async ({ server }: { server: Client }) => {
      expect((await server.post("/api/v1/agents", { name: "Ada" })).status).toBe(201);
      const { status, body } = await upload(server, contactsCsv(1));
      expect(status).toBe(201);
      const stream = await openStream(server, body.id);
      await stream.until(/event: snapshot/);
      return stream;
    };
    const streams = [await fill(one), await fill(other)];
    for (const name of ["agents", "open_campaigns", "event_streams"]) {
      expect(await use(one, name), name).toEqual({ limit: 1, used: 1 });
      expect(await use(other, name), name).toEqual({ limit: 1, used: 1 });
    }
    for (const stream of streams) await stream.leave();
  });

  it("reveal nothing of the database", async () => {
    const { server, account } = await tenant();
    await setQuotas(account, { agents: 0 });
    const problem = await call<object>("POST", "/api/v1/agents", {
      headers: { ...server.headers, accept: "application/problem+json" },
      body: { name: "D1_ERROR: bad JSON path: 'quota_exceeded tools': SQLITE_ERROR" },
    });
    expect(problem.body).toMatchObject({
      title: "the account's quota of 0 agents is reached",
      status: 403,
      code: "quota_exceeded",
    });
    expect(JSON.stringify(problem.body)).not.toMatch(/D1|SQL/);
  });
});

describe("an open stream", () => {
  /** Opens a stream for `reader`. The test triggers the heartbeats of its campaign. */
  async function reading({ account, user }: Tenant, reader: Client) {
    const { body } = await upload(user, contactsCsv(1));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stream = await openStream(reader, body.id);
    await stream.until(/event: snapshot/);
    const campaign = env.CAMPAIGN.getByName(`${account}/${body.id}`);
    /** Returns what arrives until the next heartbeat, or the rest if the stream ends. */
    const beat = async () => {
      await runInDurableObject(campaign, () => void vi.advanceTimersByTime(15_000));
      return stream.until(/: keep-alive/);
    };
    /** Returns what arrives until the stream ends, without heartbeats. */
    const ended = async () => {
      await runInDurableObject(campaign, () => void vi.advanceTimersByTime(15_000));
      return (await stream.rest()).replaceAll(": keep-alive\n\n", "");
    };
    return { beat, ended, id: body.id };
  }

  it("ends within a heartbeat after its key is revoked, and no longer counts", async () => {
    const who = await tenant();
    const { beat, ended } = await reading(who, who.server);
    expect(await beat()).toBe(": keep-alive\n\n");
    await who.user.patch(`/api/v1/api-keys/${who.key.id}`, { disabled: true });
    expect(await ended()).toBe("");
    await until(
      () => use({ server: who.user }, "event_streams"),
      (streams) => streams?.used === 0,
    );
  });

  it("ends within a heartbeat after its account is disabled", async () => {
    const who = await tenant();
    const { beat, ended } = await reading(who, who.user);
    await beat();
    await (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { disabled: true });
    expect(await ended()).toBe("");
  });

  it("ends within a heartbeat after its user is removed, while others continue", async () => {
    const who = await tenant();
    const reader = await consoleUser(who.account);
    const { ended, id } = await reading(who, reader);
    const other = await openStream(who.server, id);
    const { sub } = claimsOf(reader.headers.authorization ?? "");
    const gone = await (await operator()).delete(`/api/admin/v1/accounts/${who.account}/users/${sub}`);
    expect(gone.status).toBe(204);
    expect(await ended()).toBe("");
    expect(await other.until(/: keep-alive/)).not.toBe("");
    expect((await use(who, "event_streams"))?.used).toBe(1);
    await other.leave();
  });

  it("ends when the token it was opened with has expired", async () => {
    const who = await tenant();
    const { beat, ended } = await reading(who, who.user);
    await beat();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
    expect(await ended()).toBe("");
  });
});

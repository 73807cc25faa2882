import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Maintenance } from "../../../src/kernel/db/maintenance.ts";
import { idBeside } from "../../../src/kernel/instant-ids.ts";
import { hmac } from "../../../src/phone/carriers/signature.ts";
import type { LedgerReport } from "../../../src/records/ledger/report.ts";
import { BASE, call, tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";
import { ledgerOf } from "../../support/ledger.ts";
import { caller, getCall, originate, report, settled, webhookPath } from "../calls/support.ts";
import {
  held,
  hurry,
  idle,
  inboxOf,
  originateAbroad,
  type Recordings,
  recordingOf,
  stored,
  tried,
  withBindings,
} from "./support.ts";

afterEach(() => vi.restoreAllMocks());

const source = { id: "RE1", url: "", duration_ms: 500, content_type: "audio/wav" };

/** Creates an account with a running sandbox call. */
async function running() {
  const who = await caller();
  const { call_id } = (await originate(who, "+13035550106")).body;
  await settled(who.server, call_id, ({ status }) => status === "in-progress");
  return { ...who, call_id };
}
type Running = Awaited<ReturnType<typeof running>>;

/** Reports that a recording of the call is ready. */
async function ready({ call_id, ...who }: Running, recording = source) {
  expect((await report(who, call_id, { status: "completed", recording })).status).toBe(204);
}

const listed = async ({ server }: Pick<Running, "server">) =>
  (await server.get<Recordings>("/api/v1/recordings")).body.recordings.map(({ id }) => id);

/** Makes ledgers whose first report to one of them is replaced by `instead`. */
function reportFails(instead: (send: () => Promise<void>) => Promise<unknown>): Env["ACCOUNT_LEDGER"] {
  let isFirst = true;
  const getByName = (name: string) => {
    const ledger = env.ACCOUNT_LEDGER.getByName(name);
    return {
      recordingSources: (calls: string[], ids: string[]) => ledger.recordingSources(calls, ids),
      report: async (reports: LedgerReport[]) => {
        const send = async () => ledger.report(reports);
        if (!isFirst) return send();
        isFirst = false;
        await instead(send);
      },
    };
  };
  return { getByName } as object as Env["ACCOUNT_LEDGER"];
}

const away = () => Promise.reject(new Error("it is away"));

/** The details of a call besides its id. */
const OF = { provider: "sandbox", credentials_id: null, agent_id: "a1", campaign_id: null } as const;

describe("the inbox of recordings", () => {
  it.each([
    ["did not take the row", away],
    ["took the row, but its answer was lost", (send: () => Promise<void>) => send().then(away)],
  ])(
    "the inbox of recordings lists a recording that %s once the ledger is available again, and stores it once",
    async (_, trouble) => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      const who = await running();
      await withBindings(who, { ACCOUNT_LEDGER: reportFails(trouble) });
      await ready(who);
      await tried(who, 1);
      const [id] = await stored(who);
      await withBindings(who, {});
      await idle(who);
      expect(await listed(who)).toEqual([id]);
      expect(await stored(who)).toEqual([id]);
      expect((await getCall(who.server, who.call_id)).recording_id).toBe(id);
    },
  );

  it("keeps a recording while D1 is unavailable", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const who = await running();
    await withBindings(who, {
      DB: new Proxy(env.DB, { get: (db, name) => (name === "batch" ? away : db.prepare.bind(db)) }),
    });
    await ready(who);
    await tried(who, 1);
    await runInDurableObject(inboxOf(who), (_, { storage }) => storage.sql.exec("UPDATE entries SET taken_at = 1"));
    await hurry(who);
    await tried(who, 2);
    await withBindings(who, {});
    await idle(who);
    expect(await listed(who)).toHaveLength(1);
  });

  it("deletes its copy of a recording that was listed meanwhile", async () => {
    const who = await running();
    const rival = idBeside(who.call_id);
    const row = {
      id: rival,
      call_id: who.call_id,
      agent_id: who.agent_id,
      campaign_id: null,
      provider_recording_id: source.id,
      content_type: "audio/wav",
      size_bytes: 1,
      duration_ms: null,
      created_at: new Date().toISOString(),
    };
    const race = async (send: () => Promise<void>) => {
      await ledgerOf(who).report([{ part: "recording", row }]);
      return send();
    };
    await withBindings(who, { ACCOUNT_LEDGER: reportFails(race) });
    await ready(who);
    await idle(who);
    expect(await listed(who)).toEqual([rival]);
    expect(await stored(who)).toEqual([]);
    expect((await getCall(who.server, who.call_id)).recording_id).toBe(rival);
  });

  it("does not fetch a stored recording again, even if it does not remember it", async () => {
    const who = await running();
    await ready(who);
    const { id } = await recordingOf(who.server, who.call_id);
    await idle(who);
    await runInDurableObject(inboxOf(who), (_, { storage }) => storage.sql.exec("DELETE FROM done"));
    const puts = vi.fn<R2Bucket["put"]>();
    const bucket = { put: puts, delete: (keys: string[]) => env.RECORDINGS.delete(keys) };
    await withBindings(who, { RECORDINGS: bucket as Partial<R2Bucket> as R2Bucket });
    await ready(who);
    await idle(who);
    expect([await listed(who), await stored(who)]).toEqual([[id], [id]]);
    expect(puts).not.toHaveBeenCalled();
    expect(await held(who)).toEqual({ waiting: [], done: 1 });
  });

  it("does not restore a recording that its owner has deleted", async () => {
    const who = await running();
    await ready(who);
    const { id } = await recordingOf(who.server, who.call_id);
    await idle(who);
    expect((await who.server.delete(`/api/v1/recordings/${id}`)).status).toBe(204);
    await ready(who);
    expect(await held(who)).toEqual({ waiting: [], done: 1 });
    expect([await listed(who), await stored(who)]).toEqual([[], []]);
    // The recording is not accepted again, even after the inbox has pruned it.
    await runInDurableObject(inboxOf(who), (_, { storage }) => storage.sql.exec("DELETE FROM done"));
    await ready(who);
    await idle(who);
    expect([await listed(who), await stored(who)]).toEqual([[], []]);
  });

  it("leaves no audio of a recording that is deleted while it is fetched again", async () => {
    const who = await running();
    const remove = async (send: () => Promise<void>) => {
      await send();
      const [id = ""] = await listed(who);
      expect((await who.server.delete(`/api/v1/recordings/${id}`)).status).toBe(204);
    };
    await withBindings(who, { ACCOUNT_LEDGER: reportFails(remove) });
    await ready(who);
    await idle(who);
    expect([await listed(who), await stored(who)]).toEqual([[], []]);
  });

  it("ingests several recordings of one call, and names the newest on it", async () => {
    const who = await running();
    await ready(who);
    await idle(who);
    await ready(who, { ...source, id: "RE2" });
    await idle(who);
    const [newest, ...others] = await listed(who);
    expect(others).toHaveLength(1);
    expect(await stored(who)).toHaveLength(2);
    expect((await getCall(who.server, who.call_id)).recording_id).toBe(newest);
  });

  it("continues after a restart that lost its alarm", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const who = await running();
    await withBindings(who, { ACCOUNT_LEDGER: reportFails(away) });
    await ready(who);
    await tried(who, 1);
    await runInDurableObject(inboxOf(who), async (_, { storage }) => {
      storage.sql.exec("UPDATE entries SET due_at = 1");
      await storage.deleteAlarm();
    });
    await evict(inboxOf(who));
    // Any access restarts the object.
    await held(who);
    await recordingOf(who.server, who.call_id);
  });

  it("prunes finished recordings, and is then empty", async () => {
    const who = await running();
    await ready(who);
    await idle(who);
    await runInDurableObject(inboxOf(who), async (_, { storage }) => {
      storage.sql.exec("UPDATE done SET prune_at = 1");
      await storage.setAlarm(Date.now() + 1);
    });
    await vi.waitFor(async () => expect(await held(who)).toEqual({ waiting: [], done: 0 }));
    expect(await runInDurableObject(inboxOf(who), (_, { storage }) => storage.getAlarm())).toBeNull();
  });

  it("each account has its own inbox, even for the same call and recording", async () => {
    const accounts = [await tenant(), await tenant()];
    const bystander = await tenant();
    const call_id = newId();
    for (const who of accounts) await inboxOf(who).take({ ...OF, call_id }, [source]);
    for (const who of accounts) {
      const { id } = await recordingOf(who.server, call_id);
      expect([await listed(who), await stored(who)]).toEqual([[id], [id]]);
    }
    expect(await held(bystander)).toEqual({ waiting: [], done: 0 });
    expect([await listed(bystander), await stored(bystander)]).toEqual([[], []]);
  });

  it("gives up a recording of an impossible call at once, without delaying others", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const who = await tenant();
    const [call_id, unknown] = [newId(), crypto.randomUUID()];
    for (const id of [unknown, call_id]) await inboxOf(who).take({ ...OF, call_id: id }, [source]);
    const { id } = await recordingOf(who.server, call_id);
    await idle(who);
    expect([await listed(who), await stored(who)]).toEqual([[id], [id]]);
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
      { event: "recording_given_up", call_id: unknown },
    ]);
  });

  it("ingests many recordings at once", async () => {
    const who = await tenant();
    const ids = Array.from({ length: 130 }, () => newId());
    await Promise.all(ids.map((call_id) => inboxOf(who).take({ ...OF, call_id }, [source])));
    await idle(who);
    expect((await who.server.get<Recordings>("/api/v1/recordings")).body.total).toBe(130);
    expect(await stored(who)).toHaveLength(130);
  });
});

const FROM = "+12025550177";

/** Creates an account with a call at a carrier over the network; `fetched` is its answer about recordings. */
async function distant(fetched: () => Promise<Response>) {
  const requests: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (!/\/Recordings\//.test(String(input))) return Response.json({ sid: "CA1", status: "queued" }, { status: 201 });
    requests.push(`${new Headers(init?.headers).get("authorization")} ${input}`);
    return fetched();
  });
  const who = await tenant();
  const post = async (path: string, body: object) => {
    const answer = await who.server.post<{ id: string }>(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const agent = await post("/api/v1/agents", { name: "Caller", status: "active" });
  const credentials = { account_sid: "AC1", auth_token: "a-token-nobody-may-see" };
  const provider = await post("/api/v1/telephony/providers", { provider: "twilio", credentials });
  const number = await post("/api/v1/telephony/numbers", { e164: FROM, credentials_id: provider.id });
  const order = { agent_id: agent.id, from_number: FROM, to_number: "+13035550110" };
  const { call_id } = await originateAbroad(who.server, order);
  const path = await webhookPath(who, call_id, null, { provider: "twilio", credentials_id: provider.id });
  const fields = { CallSid: "CA1", RecordingSid: "RE1", RecordingStatus: "completed", RecordingDuration: "3" };
  const signed = Object.entries(fields).sort().flat().join("");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": await hmac("SHA-1", credentials.auth_token, BASE + path + signed),
  };
  const answer = await call("POST", path, { headers, raw: new URLSearchParams(fields).toString() });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return { ...who, requests, call_id, provider_id: provider.id, number_id: number.id };
}

describe("recordings at a carrier that can fail", () => {
  it("recordings at a carrier that can fail are stored once the carrier delivers them, after retries with doubling waits", async () => {
    const answers = [() => Promise.reject(new TypeError("lost")), async () => new Response("later", { status: 404 })];
    const who = await distant(async () => {
      const answer = answers.shift();
      return answer ? answer() : new Response("audio", { headers: { "content-type": "audio/mpeg" } });
    });
    const recording = await recordingOf(who.server, who.call_id);
    expect(recording).toMatchObject({ content_type: "audio/mpeg", size_bytes: 5, duration_ms: 3_000 });
    await idle(who);
    expect(await stored(who)).toEqual([recording.id]);
    expect(new Set(who.requests).size).toBe(1);
    expect(who.requests).toHaveLength(3);
  });

  it("recordings at a carrier that can fail are fetched with the current credentials of the call's number if those of the report were deleted", async () => {
    const who = await distant(async () => new Response("audio", { headers: { "content-type": "audio/mpeg" } }));
    await recordingOf(who.server, who.call_id);
    const { call_id } = who;
    const of = { provider: "twilio", credentials_id: crypto.randomUUID(), agent_id: "a1", campaign_id: null } as const;
    await inboxOf(who).take({ ...of, call_id }, [{ ...source, id: "RE2" }]);
    await idle(who);
    expect(await listed(who)).toHaveLength(2);
  });

  it.each<[string, (who: Awaited<ReturnType<typeof distant>>) => Promise<unknown>]>([
    [
      "the carrier has not sent them for a day",
      (who) =>
        runInDurableObject(inboxOf(who), (_, { storage }) =>
          storage.sql.exec("UPDATE entries SET taken_at = taken_at - 86400000"),
        ),
    ],
    [
      "their credentials were deleted long ago",
      async ({ server, number_id, provider_id }) => {
        expect((await server.delete(`/api/v1/telephony/numbers/${number_id}`)).status).toBe(204);
        expect((await server.delete(`/api/v1/telephony/providers/${provider_id}`)).status).toBe(204);
        await new Maintenance(env.DB).purgeCredentials(new Date(Date.now() + 60_000).toISOString());
      },
    ],
  ])("recordings are given up with one line in the log if %s", async (_, happens) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const who = await distant(() => Promise.reject(new TypeError(`${FROM} a-token-nobody-may-see`)));
    await tried(who, 1);
    await happens(who);
    await idle(who);
    expect(await held(who)).toEqual({ waiting: [], done: 0 });
    expect([await listed(who), await stored(who)]).toEqual([[], []]);
    expect(log).toHaveBeenCalledTimes(1);
    const line = String(log.mock.lastCall?.[0]);
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      event: "recording_given_up",
      account: who.account,
      provider: "twilio",
      call_id: who.call_id,
    });
    expect(line).not.toContain("token-nobody");
    expect(line).not.toContain(FROM.slice(1));
  });
});

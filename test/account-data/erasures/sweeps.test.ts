import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import {
  accountEvents,
  accountMeter,
  idempotencyStore,
  recordingInbox,
  sandboxCarrier,
} from "../../../src/kernel/durable/objects.ts";
import { SANDBOX_MIGRATIONS } from "../../../src/phone/carriers/sandbox-calls.ts";
import { callerOf } from "../../../src/phone/inbound/caller.ts";
import { INBOX_MIGRATIONS } from "../../../src/phone/recordings/inbox-ledger.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";

const NUMBER = "+13035550110";
const OTHER = "+13035550199";
const newAccount = () => `t-${crypto.randomUUID()}`;

async function rowsOf(stub: object, query: string): Promise<Record<string, SqlStorageValue>[]> {
  return runInDurableObject(stub as DurableObjectStub, (_, { storage }) => storage.sql.exec(query).toArray());
}

describe("a person in the account's events", () => {
  const event = (data: Record<string, unknown>) => {
    const at = new Date().toISOString();
    const base = { call_id: newId(), url: "/api/v1/do-not-call" };
    // Only the storage of the event matters here, so the service need not really emit it.
    return { id: newId(), type: "opt_out.added", at, data: Object.assign(base, data) } as never;
  };
  const sweep = async (account: string, person: { number: string | null; ids: string[] }) => {
    const events = accountEvents(env, account);
    let [masked, after]: [number, number | null] = [0, 0];
    while (after !== null) {
      const step = await events.sweepPerson(person, after, 2);
      [masked, after] = [masked + step.masked, step.next];
    }
    return masked;
  };

  it("an erased number is masked in events, which keep their positions", async () => {
    const account = newAccount();
    const events = accountEvents(env, account);
    await events.take([1, 2, 3].map(() => event({ phone_number: OTHER, reason: "asked" })));
    await events.take([event({ phone_number: NUMBER, reason: `called ${NUMBER}` })]);
    expect(await sweep(account, { number: NUMBER, ids: [] })).toBe(1);
    expect(await sweep(account, { number: NUMBER, ids: [] })).toBe(0);
    const rows = await rowsOf(events, "SELECT sequence, data FROM events ORDER BY sequence");
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(JSON.stringify(rows)).not.toContain("5550110");
    expect(JSON.stringify(rows)).toContain(OTHER);
  });

  it("events of a conversation and its call are masked even if the number is unknown", async () => {
    const account = newAccount();
    const call_id = newId();
    const events = accountEvents(env, account);
    await events.take([event({ call_id, to_number: NUMBER }), event({ to_number: OTHER })]);
    expect(await sweep(account, { number: null, ids: [call_id] })).toBe(1);
    const rows = JSON.stringify(await rowsOf(events, "SELECT data FROM events"));
    expect([rows.includes(NUMBER), rows.includes(OTHER)]).toEqual([false, true]);
  });

  it("an erasure finds nothing in an account without events", async () => {
    expect(await sweep(newAccount(), { number: NUMBER, ids: [] })).toBe(0);
  });
});

describe("a person in responses under idempotency keys", () => {
  it("an erased person is masked in a stored response without running the request again", async () => {
    const account = newAccount();
    const request = { id: "00000001aa", fingerprint: "f", holder: "h" };
    const store = idempotencyStore(env, account, request.id);
    await store.begin(request);
    await store.finish(request, {
      keep: { status: 201, headers: {}, body: JSON.stringify({ to_number: NUMBER, n: 1 }) },
    });
    const person = { number: NUMBER, ids: [] };
    expect(await store.erasePerson(person, "", 1)).toEqual({ masked: 1, next: request.id });
    expect(await store.erasePerson(person, "", 10)).toEqual({ masked: 0, next: null });
    expect(await store.begin(request)).toEqual({
      outcome: "replay",
      answer: { status: 201, headers: {}, body: '{"to_number":"[PHONE]","n":1}' },
    });
  });

  it("a stored response that names the visitor or conversation is erased entirely", async () => {
    const account = newAccount();
    const request = { id: "00000002aa", fingerprint: "f", holder: "h" };
    const store = idempotencyStore(env, account, request.id);
    await store.begin(request);
    await store.finish(request, { keep: { status: 201, headers: {}, body: '{"visitor_id":"v-17"}' } });
    expect(await store.erasePerson({ number: null, ids: ["v-17"] }, "", 10)).toEqual({ masked: 1, next: null });
    expect(await store.begin(request)).toEqual({ outcome: "replay", answer: null });
  });
});

describe("a person in the account's meter", () => {
  it("the meter erases a person while leases continue and others are counted", async () => {
    const meter = accountMeter(env, newAccount());
    await runInDurableObject(meter, (_, { storage }) => {
      migrate(storage, METER_MIGRATIONS, Date.now());
      for (const caller of [NUMBER, OTHER].map(callerOf)) {
        storage.sql.exec("INSERT INTO caller_days (day, caller, calls) VALUES ('2026-11-23', ?, 1)", caller);
        storage.sql.exec(
          "INSERT INTO call_leases (call_id, caller, admitted_at, expires_at) VALUES (?, ?, 0, 9e15)",
          `call-${caller}`,
          caller,
        );
      }
      for (const who of ["visitor v-1", "visitor v-2", "network n"])
        storage.sql.exec("INSERT INTO visitor_days (day, widget_key, who, conversations) VALUES (1, 'key', ?, 1)", who);
      for (const holder of ["visitor v-1", "conversation c-1", "conversation c-2"])
        storage.sql.exec("INSERT INTO tool_runs_of_minute (holder, at) VALUES (?, 9e15)", holder);
      storage.sql.exec("INSERT INTO tool_runs_of_day (visitor, day, runs) VALUES ('v-1', 1, 1)");
    });
    const person = { numbers: [NUMBER], visitors: ["v-1"], conversations: ["c-1"] };
    expect(await meter.erasePerson(person)).toBe(6);
    expect(await meter.erasePerson(person)).toBe(0);
    expect(await rowsOf(meter, "SELECT caller FROM call_leases ORDER BY caller")).toEqual([
      { caller: null },
      { caller: callerOf(OTHER) },
    ]);
    expect(await rowsOf(meter, "SELECT who FROM visitor_days ORDER BY who")).toEqual([
      { who: "network n" },
      { who: "visitor v-2" },
    ]);
    expect(await rowsOf(meter, "SELECT holder FROM tool_runs_of_minute")).toEqual([{ holder: "conversation c-2" }]);
  });
});

describe("a person at the sandbox carrier", () => {
  it("the sandbox erases a person with calls and reports but keeps others", async () => {
    const sandbox = sandboxCarrier(env, newAccount());
    const [mine, named, others] = [newId(), newId(), newId()];
    const to = [NUMBER, OTHER, OTHER];
    await runInDurableObject(sandbox, (_, { storage }) => {
      migrate(storage, SANDBOX_MIGRATIONS, Date.now());
      for (const [i, call] of [mine, named, others].entries()) {
        storage.sql.exec(
          "INSERT INTO calls (call_id, provider_call_id, to_number, webhook_url, placed_at, recorded, takes_message, detects_machines) VALUES (?, 'p', ?, 'u', 6e12, 1, 0, 1)",
          call,
          to[i] ?? "",
        );
        storage.sql.exec("INSERT INTO reports (call_id, due_at, body) VALUES (?, 6e12, '')", call);
      }
    });
    // The object reads its tables when it is built.
    await evict(sandbox);
    expect(await sandbox.erasePerson(NUMBER, [named])).toBe(2);
    expect(await sandbox.erasePerson(NUMBER, [named])).toBe(0);
    expect(await rowsOf(sandbox, "SELECT call_id FROM calls")).toEqual([{ call_id: others }]);
    expect(await rowsOf(sandbox, "SELECT call_id FROM reports")).toEqual([{ call_id: others }]);
  });
});

describe("a person in the inbox of recordings", () => {
  it("a person's waiting recordings are erased by their calls while others still wait", async () => {
    const inbox = recordingInbox(env, newAccount());
    expect(await inbox.dropCalls(["a"])).toEqual([]);
    await runInDurableObject(inbox, (_, { storage }) => {
      migrate(storage, INBOX_MIGRATIONS, Date.now());
      for (const [call, id] of [
        ["a", "1"],
        ["b", "2"],
      ])
        storage.sql.exec(
          `INSERT INTO entries (call_id, source_id, id, provider, agent_id, recording, taken_at, due_at)
           VALUES (?, 'RE', ?, 'twilio', 'agent', '{}', 0, 6e12)`,
          call ?? "",
          id ?? "",
        );
    });
    expect(await inbox.dropCalls(["a"])).toEqual(["1"]);
    expect(await inbox.dropCalls(["a"])).toEqual([]);
    expect(await rowsOf(inbox, "SELECT id FROM entries")).toEqual([{ id: "2" }]);
  });
});

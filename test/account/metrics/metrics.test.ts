import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { exposition } from "../../../src/account/metrics/exposition.ts";
import { app } from "../../../src/app.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { GaugePush } from "../../../src/kernel/durable/gauge-push.ts";
import { VolumeD1 } from "../../../src/records/ledger/volume-d1.ts";
import { countingBindings } from "../../bench/yardstick/count-round-trips.ts";
import { BASE, tenant } from "../../support/client.ts";

const TOKEN = "a-token-of-the-test";

async function scrape(token: string | null, secret = TOKEN) {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await app.fetch(
    new Request(`${BASE}/metrics`, { headers }),
    Object.assign({}, env, { METRICS_TOKEN: secret }),
  );
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

const sampleOf = (text: string, sample: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length + 1),
  );

/** Returns gauges in the form in which a volume pushes them. */
const gauges = (set: object = {}) => ({
  object: "ledger/2026-11-23",
  kind: "ledger",
  at: Date.now(),
  storage_bytes: 4_096,
  outbox_rows: 3,
  outbox_parked: 1,
  outbox_since: Date.now() - 60_000,
  alarm_lag_ms: 250,
  call_leases: 0,
  live_leases: 0,
  retention_since: null,
  ...set,
});

describe("metrics", () => {
  it("cover the objects of all accounts, by kind", async () => {
    const { account } = await tenant();
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    await new VolumeD1(store).putDays([], gauges());
    const { status, type, text } = await scrape(TOKEN);
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(sampleOf(text, "switchboard_accounts")).toBeGreaterThanOrEqual(1);
    expect(sampleOf(text, 'switchboard_outbox_rows{kind="ledger"}')).toBeGreaterThanOrEqual(3);
    expect(sampleOf(text, 'switchboard_outbox_age_seconds{kind="ledger"}')).toBeGreaterThanOrEqual(60);
    expect(sampleOf(text, 'switchboard_alarm_lag_seconds{kind="ledger"}')).toBeGreaterThanOrEqual(0.25);
    expect(text).not.toContain(account);
  });

  it("include the leases of calls and streams and the lag of webhooks, as their objects report them", async () => {
    const { account } = await tenant();
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    const deps = { store, takeAlarmLag: () => 0 };
    const gauges = {
      storage_bytes: 1,
      outbox_rows: 5,
      outbox_parked: 2,
      outbox_since: Date.now() - 90_000,
      call_leases: 7,
      live_leases: 2,
    };
    const object = `webhook/${crypto.randomUUID()}`;
    let now = Date.now();
    let busy = true;
    await runInDurableObject(env.ACCOUNT_METER.getByName(account), async (_, { storage }) => {
      const clock = () => now;
      const rest = { storage, object, kind: "webhook", isBusy: () => busy, read: () => gauges, clock };
      const build = () => new GaugePush({ ...deps, ...rest });
      const push = build();
      const before = (await scrape(TOKEN)).text;
      expect(push.dueAt()).toBe(now);
      await push.run(now);
      const { text } = await scrape(TOKEN);
      for (const [sample, more] of [
        ["switchboard_call_leases", 7],
        ["switchboard_live_leases", 2],
        ['switchboard_outbox_rows{kind="webhook"}', 5],
        ['switchboard_outbox_parked_rows{kind="webhook"}', 2],
      ] as const)
        expect(sampleOf(text, sample) - (sampleOf(before, sample) || 0), sample).toBe(more);
      expect(sampleOf(text, 'switchboard_outbox_age_seconds{kind="webhook"}')).toBeGreaterThanOrEqual(90);
      // A new instance does not restart the minute. Otherwise an object that is evicted between its alarms would never
      // push.
      now += 50_000;
      expect(build().dueAt()).toBe(now + 10_000);
      now += 10_000;
      // It pushes once more when it becomes idle, even after a restart, and then no more.
      busy = false;
      const next = build();
      expect(next.dueAt()).toBe(now);
      await next.run(now);
      expect(next.dueAt()).toBeNull();
    });
  });

  it("have help and type before the samples of a family, each family once", () => {
    const today = Object.fromEntries(
      [
        "calls",
        "answered",
        "talk_ms",
        "conversations",
        "input_tokens",
        "output_tokens",
        "tool_runs",
        "model_errors",
      ].map((name) => [name, 1_500]),
    );
    const text = exposition({ accounts: 2, objects: [], today, untold_ms: 0, jobs: [] } as unknown as Parameters<
      typeof exposition
    >[0]);
    expect(text.endsWith("\n")).toBe(true);
    const families = text.split("\n").flatMap((line) => /^# TYPE (\S+) (counter|gauge)$/.exec(line)?.[1] ?? []);
    expect(new Set(families).size).toBe(families.length);
    for (const name of families) expect(text.indexOf(`# HELP ${name} `)).toBeLessThan(text.indexOf(`# TYPE ${name} `));
    expect(sampleOf(text, "switchboard_talk_seconds_total")).toBe(1.5);
    expect(sampleOf(text, "switchboard_model_errors_total")).toBe(1_500);
  });

  it("cost one round trip to D1 and none to an object", async () => {
    const trips = { d1: 0, replica: 0, objects: 0 };
    const bindings = Object.assign(countingBindings(env, trips), { METRICS_TOKEN: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await app.fetch(new Request(`${BASE}/metrics`, { headers }), bindings);
    expect([response.status, trips]).toEqual([200, { d1: 1, replica: 0, objects: 0 }]);
  });
});

describe("metrics", () => {
  it("metrics are not served if the deployment has no token", async () => {
    expect((await scrape(TOKEN, "")).status).toBe(404);
    expect((await scrape("", "")).status).toBe(404);
  });

  it("require the token", async () => {
    const { server } = await tenant();
    const key = String(server.headers.authorization).replace("Bearer ", "");
    for (const token of [null, "", "wrong", `${TOKEN}x`, TOKEN.slice(1), key]) {
      const { status, text } = await scrape(token);
      expect([status, text.includes("switchboard_")], String(token)).toEqual([401, false]);
    }
  });
});

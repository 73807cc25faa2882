import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { KEPT_MS } from "../../../src/conversation/test-runs/run-work.ts";
import { GOODBYE, ran, type Tested, tested, withTest } from "./support.ts";

afterEach(() => vi.useRealTimers());

const MINUTE_MS = 60_000;

const objectOf = ({ account }: Tested, id: string) =>
  env.TEST_RUN.getByName(`${account}/${id}`) as unknown as DurableObjectStub;

/** Returns what the run's object has stored. */
const stored = (who: Tested, id: string) =>
  runInDurableObject(objectOf(who, id), async (_, { storage }) => ({
    tables: storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray().length,
    alarm: await storage.getAlarm(),
  }));

const listed = async ({ server, path }: Tested) =>
  (await server.get<{ test_runs: { id: string }[]; total: number }>(`${path}/test-runs`)).body;

it("a test run's results are kept for 30 days after its end, and then its object is empty", async () => {
  const who = await tested({ versioning: "manual" });
  const test = await withTest(who, { ...GOODBYE, required: true });
  const run = await ran(who);
  const ended = Date.parse(run.ended_at ?? "");
  await vi.waitFor(async () => {
    // All reports are delivered, so only its expiry is pending.
    await runDurableObjectAlarm(objectOf(who, run.id));
    expect((await stored(who, run.id)).alarm).toBe(ended + KEPT_MS);
  });

  vi.useFakeTimers({ toFake: ["Date"], now: ended + KEPT_MS - MINUTE_MS });
  await runDurableObjectAlarm(objectOf(who, run.id));
  expect((await who.server.get(`/api/v1/test-runs/${run.id}`)).body).toMatchObject({ id: run.id, passed: 1 });
  expect((await listed(who)).total).toBe(1);

  vi.setSystemTime(ended + KEPT_MS);
  await runDurableObjectAlarm(objectOf(who, run.id));
  expect(await stored(who, run.id)).toEqual({ tables: 0, alarm: null });
  expect((await who.server.get(`/api/v1/test-runs/${run.id}`)).status).toBe(404);
  expect(await listed(who)).toMatchObject({ test_runs: [], total: 0 });
  // The test still exists, but there is no run on which publishing could rely.
  expect((await who.server.get(`${who.path}/tests/${test}`)).status).toBe(200);
  expect((await who.server.post(`${who.path}/publish`)).code).toBe("tests_not_run");
});

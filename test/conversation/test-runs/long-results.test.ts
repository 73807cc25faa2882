import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import type { RunDetail } from "../../../src/conversation/test-runs/test-run.ts";
import { testRunObject } from "../../../src/kernel/durable/objects.ts";
import { BASE } from "../../support/client.ts";
import { readInPieces } from "../../support/read-in-pieces.ts";
import { GOODBYE, ran, tested, withTest } from "./support.ts";

const MB = 1024 * 1024;
/** The longest transcript of a conversation, characters. */
const LONGEST = 80_000;

/** Creates a run with two short results. */
async function withRun() {
  const who = await tested();
  await withTest(who, GOODBYE);
  const { id } = await ran(who, { repeat: 2 });
  const path = `/api/v1/test-runs/${id}`;
  const inObject = (act: (storage: DurableObjectStorage) => unknown) =>
    runInDurableObject(testRunObject(env, who.account, id) as unknown as DurableObjectStub, (_, { storage }) => {
      act(storage);
    });
  return { who, id, path, inObject, before: (await who.server.get<RunDetail>(path)).body };
}

/** Stores the results of these repetitions, each with the longest transcript. */
function addResults({ sql }: DurableObjectStorage, repetitions: readonly number[]): void {
  const [row] = sql.exec<{ test: string; result: string }>("SELECT test, result FROM items LIMIT 1").toArray();
  const { test, result } = row ?? expect.fail("no result");
  for (const repeat of repetitions) {
    const transcript = [{ role: "agent", text: "ж".repeat(LONGEST), tool: null }];
    const long = JSON.stringify(Object.assign(JSON.parse(result), { transcript, repeat }));
    sql.exec(
      "INSERT INTO items (n, test, repeat, state, outcome, result) VALUES (?, ?, ?, 'done', 'passed', ?)",
      repeat,
      test,
      repeat,
      long,
    );
  }
}

const MOST = Array.from({ length: 198 }, (_, n) => n + 3);

it("the results of a run with the longest transcripts are sent in pieces", async () => {
  const { who, id, path, inObject, before } = await withRun();
  await inObject((storage) => addResults(storage, MOST));
  const { body, longestText, bytes } = await readInPieces<RunDetail>(path, who.server);
  expect(bytes).toBeGreaterThan(30 * MB);
  expect(longestText).toBeLessThan(MB);
  expect(body.results.map(({ repeat }) => repeat)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  expect(body).toMatchObject({ id, conversations: 200, done: 200 });
  expect(Object.keys(body).sort()).toEqual(Object.keys(before).sort());
  expect(body.results.slice(0, 2)).toEqual(before.results);
});

it("a run counts no conversation whose result is missing because it ended after its piece was sent", async () => {
  const { who, path, inObject } = await withRun();
  await inObject((storage) => addResults(storage, MOST));
  const { body } = await app.fetch(new Request(BASE + path, { headers: who.server.headers }), env);
  const reader = (body ?? expect.fail("no body")).getReader();
  const decoder = new TextDecoder();
  let text = decoder.decode((await reader.read()).value, { stream: true });
  await inObject((storage) => addResults(storage, [-1]));
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += decoder.decode(next.value, { stream: true });
  const run = JSON.parse(text) as RunDetail & { done: number };
  expect(run.results).toHaveLength(200);
  expect(run.done).toBe(200);
});

it("a response breaks off and is logged if the run is deleted before all its results are sent", async () => {
  const { who, path, inObject } = await withRun();
  await inObject((storage) => addResults(storage, MOST));
  const { body, headers } = await app.fetch(new Request(BASE + path, { headers: who.server.headers }), env);
  const reader = (body ?? expect.fail("no body")).getReader();
  await reader.read();
  await inObject(({ sql }) => sql.exec("DELETE FROM run"));
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toThrow("test run not found");
  const line = { level: "error", at: "request", request_id: headers.get("x-request-id") };
  expect(logged.mock.calls.map(([text]) => JSON.parse(String(text)) as object)).toEqual([
    Object.assign(line, { error: expect.stringContaining("test run not found") }),
  ]);
});

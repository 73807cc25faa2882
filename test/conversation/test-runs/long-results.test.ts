import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { RunDetail } from "../../../src/conversation/test-runs/test-run.ts";
import { testRunObject } from "../../../src/kernel/durable/objects.ts";
import { readInPieces } from "../../support/read-in-pieces.ts";
import { GOODBYE, ran, tested, withTest } from "./support.ts";

const MB = 1024 * 1024;
/** The longest transcript of a conversation, characters. */
const LONGEST = 80_000;

it("the results of a run with the longest transcripts are sent in pieces", async () => {
  const who = await tested();
  await withTest(who, GOODBYE);
  const { id } = await ran(who, { repeat: 2 });
  const before = (await who.server.get<RunDetail>(`/api/v1/test-runs/${id}`)).body;
  const object = testRunObject(env, who.account, id) as unknown as DurableObjectStub;
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    const [row] = sql.exec<{ test: string; result: string }>("SELECT test, result FROM items LIMIT 1").toArray();
    const { test, result } = row ?? expect.fail("no result");
    for (let repeat = 3; repeat <= 200; repeat++) {
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
  });
  const { body, longestText, bytes } = await readInPieces<RunDetail>(`/api/v1/test-runs/${id}`, who.server);
  expect(bytes).toBeGreaterThan(30 * MB);
  expect(longestText).toBeLessThan(MB);
  expect(body.results.map(({ repeat }) => repeat)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  expect(body).toMatchObject({ id, conversations: 200, done: 200 });
  expect(Object.keys(body).sort()).toEqual(Object.keys(before).sort());
  expect(body.results.slice(0, 2)).toEqual(before.results);
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { framesOf, openaiFrames } from "../../../src/dev/stand-in-frames.ts";
import { begin, GOODBYE, ran, type Tested, tested, withTest } from "./support.ts";

afterEach(() => vi.restoreAllMocks());

type Answer = "right" | "wrong" | "down";

/** Creates an agent under manual versioning whose model gives these answers in turn; the last one repeats. */
async function unsteady(...answers: Answer[]): Promise<Tested> {
  const who = await tested({ versioning: "manual" });
  await who.server.post("/api/v1/integrations/019aa3b5-ec1d-7a6e-9c52-4b7d0e9f31c8/install", {
    secrets: { api_key: "sk-test" },
  });
  await who.server.patch(who.path, { llm_model: "gpt-4o" });
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    // This response is not retried.
    if (answer === "down") return new Response("{}", { status: 401 });
    const say = answer === "right" ? "Yes, of course." : "No.";
    return new Response(framesOf(openaiFrames(), [{ say }]).join(""));
  });
  return who;
}

const ASKS = { name: "Says yes", steps: [{ says: "May I come?" }], expect: [{ said: "yes" }], required: true };
const publish = ({ server, path }: Tested) => server.post(`${path}/publish`);

describe("a test that is repeated", () => {
  it("a test is repeated at least as often as it says, or more often if the run says so", async () => {
    const who = await unsteady("right");
    await withTest(who, { ...ASKS, repeat: 3 });
    await withTest(who, { ...ASKS, name: "once" });
    const times = ({ results }: Awaited<ReturnType<typeof ran>>) => results.map(({ name, repeat }) => [name, repeat]);
    const three = [1, 2, 3].map((n) => ["Says yes", n]);
    expect(times(await ran(who))).toEqual([...three, ["once", 1]]);
    expect(times(await ran(who, { repeat: 1 }))).toEqual([...three, ["once", 1]]);
    expect(times(await ran(who, { repeat: 2 }))).toEqual([...three, ["once", 1], ["once", 2]]);
    expect(await ran(who, { repeat: 4 })).toMatchObject({ conversations: 8, done: 8 });
  });

  it("counts each repetition towards the maximum conversations of a run", async () => {
    const who = await tested();
    for (let n = 0; n < 21; n++) await withTest(who, { ...GOODBYE, repeat: 10 });
    expect((await begin(who)).code).toBe("too_many_conversations");
  });

  it.each<[answers: Answer[], state: string, published: string | null]>([
    [["right", "right", "wrong"], "passed", null],
    [["right", "wrong", "wrong"], "failed", "tests_failed"],
    [["down", "right", "right"], "model_failed", "tests_not_run"],
    [["right", "down", "wrong"], "model_failed", "tests_not_run"],
    [["down"], "model_failed", "tests_not_run"],
  ])(
    "a test that is repeated allows publication by 2 of 3 repetitions that its model answered: %j is %s",
    async (answers, state, refusal) => {
      const who = await unsteady(...answers);
      const test_id = await withTest(who, { ...ASKS, repeat: 3, min_passes: 2 });
      const run = await ran(who);
      const of = (answer: Answer) => run.results.filter((one) => one.state === STATES[answer]).length;
      const counts = { passed: of("right"), failed: of("wrong"), model_failed: of("down") };
      expect(run).toMatchObject({ status: "completed", ...counts, tests: [{ test_id, state, counts }] });
      const listed = await who.server.get<{ test_runs: object[] }>(`${who.path}/test-runs`);
      expect(listed.body.test_runs).toMatchObject([{ tests: [{ test_id, state, counts }] }]);
      const { status, code } = await publish(who);
      expect(refusal === null ? status : code).toBe(refusal ?? 200);
    },
  );

  it("a repeated test is not passed by a single correct run", async () => {
    const who = await unsteady("right", "wrong");
    await withTest(who, { ...ASKS, repeat: 3 });
    expect((await ran(who, { repeat: 1 })).tests).toMatchObject([{ state: "failed" }]);
    expect((await publish(who)).code).toBe("tests_failed");
  });

  it("does not pass more easily if it runs more often", async () => {
    const who = await unsteady("right", "wrong");
    await withTest(who, ASKS);
    expect((await ran(who, { repeat: 5 })).tests).toMatchObject([
      { state: "failed", counts: { passed: 1, failed: 4 } },
    ]);
    expect((await publish(who)).code).toBe("tests_failed");
  });

  it("a repetition whose model failed is replaced by another", async () => {
    const who = await unsteady("down", "right");
    await withTest(who, { ...ASKS, repeat: 3 });
    expect((await ran(who, { repeat: 4 })).tests).toMatchObject([{ state: "passed", counts: { model_failed: 1 } }]);
    expect((await publish(who)).status).toBe(200);
  });

  it("has to be run again once its number of repetitions is changed", async () => {
    const who = await unsteady("right", "wrong", "wrong");
    const test = await withTest(who, { ...ASKS, repeat: 3 });
    await ran(who);
    await who.server.patch(`${who.path}/tests/${test}`, { min_passes: 1 });
    expect((await publish(who)).code).toBe("tests_not_run");
  });

  it("blocks publication after a run whose model failed, whatever an earlier run's result was", async () => {
    const who = await unsteady("right", "down");
    await withTest(who, ASKS);
    expect((await ran(who)).tests).toMatchObject([{ state: "passed" }]);
    expect((await ran(who)).tests).toMatchObject([{ state: "model_failed" }]);
    const refused = await publish(who);
    expect(refused.code).toBe("tests_not_run");
    expect(JSON.stringify(refused.body)).toContain("Says yes");
  });
});

const STATES = { right: "passed", wrong: "failed", down: "model_failed" };

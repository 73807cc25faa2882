import type { Body } from "../../../api/client.ts";

export type Run = Body<"TestRun">;
export type Result = Run["results"][number];
type Started = Body<"TestStarted">;

/** A run that is followed through its stream. */
export interface WatchedRun {
  run: Run;
  underWay: Started[];
}

const isOf = (a: { test_id: string; repeat: number }) => (b: { test_id: string; repeat: number }) =>
  a.test_id === b.test_id && a.repeat === b.repeat;

/** Returns the run after another event of its stream. A repeated event counts once. */
export function afterRunEvent(before: WatchedRun | undefined, name: string, data: string): WatchedRun | undefined {
  if (name === "snapshot") {
    const run: Run = JSON.parse(data);
    return { run, underWay: [] };
  }
  if (!before) return before;
  const { run, underWay } = before;
  switch (name) {
    case "test.started": {
      const started: Started = JSON.parse(data);
      const isKnown = [...run.results, ...underWay].some(isOf(started));
      return isKnown ? before : { run, underWay: [...underWay, started] };
    }
    case "test.finished": {
      const { run_id: _, ...result }: Body<"TestFinished"> = JSON.parse(data);
      if (run.results.some(isOf(result))) return before;
      const results = [...run.results, result];
      const counted = (state: Result["state"]) => results.filter((each) => each.state === state).length;
      const [passed, failed, model_failed] = [counted("passed"), counted("failed"), counted("model_failed")];
      return {
        run: Object.assign({}, run, { results, done: results.length, passed, failed, model_failed }),
        underWay: underWay.filter((each) => !isOf(result)(each)),
      };
    }
    case "run.ended": {
      const ended: Body<"TestRunEnded"> = JSON.parse(data);
      return { run: Object.assign({}, run, ended), underWay: [] };
    }
    default:
      return before;
  }
}

/** Checks whether an event is the last one: the end, or the snapshot of a completed run. */
export function isLastOfRun({ name, data }: { name: string; data: string }): boolean {
  if (name !== "snapshot") return name === "run.ended";
  const { status }: Run = JSON.parse(data);
  return status !== "running";
}

/**
 * Returns the overall result of a run. Failed tests take precedence over tests whose model failed. Null until it is
 * completed.
 */
export function stateOf({ status, tests }: Pick<Run, "status" | "tests">): Result["state"] | null {
  if (status !== "completed") return null;
  if (tests.some(({ state }) => state === "failed")) return "failed";
  return tests.every(({ state }) => state === "passed") ? "passed" : "model_failed";
}

export const countTests = ({ tests }: Pick<Run, "tests">, state: Result["state"]): number =>
  tests.filter((test) => test.state === state).length;

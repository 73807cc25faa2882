import type { Body } from "../../../api/client.ts";

export type Run = Body<"TestRun">;
export type Result = Run["results"][number];
/** A test whose conversation is held now. */
type Started = Body<"TestStarted">;

/** A run as it is watched. */
export interface WatchedRun {
  run: Run;
  underWay: Started[];
}

const isOf = (a: { test_id: string; repeat: number }) => (b: { test_id: string; repeat: number }) =>
  a.test_id === b.test_id && a.repeat === b.repeat;

/** A run after another event of its stream; a repeated event counts once. */
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
      const passed = results.filter((each) => each.passed).length;
      return {
        run: Object.assign({}, run, { results, done: results.length, passed }),
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

/** Whether nothing comes after this: the end, or the snapshot of a run that is over. */
export function isLastOfRun({ name, data }: { name: string; data: string }): boolean {
  if (name !== "snapshot") return name === "run.ended";
  const { status }: Run = JSON.parse(data);
  return status !== "running";
}

/** Whether all of it went as expected. */
export const isPassed = ({ status, passed, conversations }: Run): boolean =>
  status === "completed" && passed === conversations;

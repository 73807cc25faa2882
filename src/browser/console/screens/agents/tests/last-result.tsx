import { A } from "@solidjs/router";
import { Show } from "solid-js";
import { useQuery } from "../../../api/use-query.ts";
import { agentTests as t } from "../../../texts/index.ts";
import { Badge, Time } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { testRunsOf } from "../queries.ts";

/** How a test went last, with the way to that run. */
export function LastResult(props: { testId: string }) {
  const agent = useAgent();
  const runs = useQuery(() => testRunsOf(agent().id));
  const last = () => {
    for (const run of runs.data?.test_runs ?? []) {
      const test = run.tests.find(({ test_id }) => test_id === props.testId);
      if (test && (test.passed !== null || run.status === "running")) return { run, passed: test.passed };
    }
    return undefined;
  };
  return (
    <Show when={last()} fallback={<span class="muted">{runs.data ? t.notRun : "…"}</span>}>
      {(found) => (
        <>
          <Outcome passed={found().passed} />{" "}
          <A href={`/agents/${agent().id}/tests/runs/${found().run.id}`}>
            {t.ofVersion(found().run.version)}, <Time at={found().run.created_at} />
          </A>
        </>
      )}
    </Show>
  );
}

/** Whether a test passed; null while that is not known. */
export function Outcome(props: { passed: boolean | null }) {
  return (
    <Show when={props.passed !== null} fallback={<Badge tone="live">{t.running}</Badge>}>
      <Badge tone={props.passed ? "ok" : "bad"}>{props.passed ? t.passed : t.failed}</Badge>
    </Show>
  );
}

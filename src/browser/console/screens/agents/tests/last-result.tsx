import { A } from "@solidjs/router";
import { Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agentTests as t } from "../../../texts/index.ts";
import type { Tone } from "../../../ui/tone.ts";
import { Badge, Time } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { testRunsOf } from "../queries.ts";

type State = Body<"TestOutcome">["state"];

export function LastResult(props: { testId: string }) {
  const agent = useAgent();
  const runs = useQuery(() => testRunsOf(agent().id));
  const last = () => {
    for (const run of runs.data?.test_runs ?? []) {
      const test = run.tests.find(({ test_id }) => test_id === props.testId);
      if (test && (test.state !== null || run.status === "running")) return { run, state: test.state };
    }
    return undefined;
  };
  return (
    <Show when={last()} fallback={<span class="muted">{runs.data ? t.notRun : "…"}</span>}>
      {(found) => (
        <>
          <Outcome state={found().state} />{" "}
          <A href={`/agents/${agent().id}/tests/runs/${found().run.id}`}>
            {t.ofVersion(found().run.version)}, <Time at={found().run.created_at} />
          </A>
        </>
      )}
    </Show>
  );
}

export const TONES: Record<NonNullable<State>, Tone> = { passed: "ok", failed: "bad", model_failed: "warn" };

/** The result of a test or one of its conversations; null while unknown. */
export function Outcome(props: { state: State }) {
  return (
    <Show when={props.state} fallback={<Badge tone="live">{t.running}</Badge>}>
      {(state) => <Badge tone={TONES[state()]}>{t.states[state()]}</Badge>}
    </Show>
  );
}

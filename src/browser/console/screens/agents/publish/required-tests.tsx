import { A } from "@solidjs/router";
import { createEffect, createSignal, Match, Show, Switch } from "solid-js";
import { api, data } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { formatSentence } from "../../../texts/format.ts";
import { agentVersions } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Failure, Note } from "../../../ui/feedback.tsx";
import { useAgent } from "../agent-context.ts";
import { testsOfAgent } from "../queries.ts";
import { countTests, stateOf } from "../tests/run-events.ts";
import { useTestRun } from "../tests/use-test-run.ts";
import styles from "./publish.module.css";

const t = agentVersions.publish;

/** Says why required tests prevent publishing, runs them and shows the result. */
export function RequiredTests(props: {
  /** Undefined for the draft. */
  version: number | undefined;
  code: "tests_not_run" | "tests_failed";
  words: string;
  onPassed: (isPassed: boolean) => void;
  onLeave: () => void;
}) {
  const agent = useAgent();
  const tests = useQuery(() => testsOfAgent(agent().id));
  const [runId, setRunId] = createSignal<string>();
  const [isBusy, setBusy] = createSignal(false);
  const [failure, setFailure] = createSignal<unknown>();
  const { stored, latest } = useTestRun(runId);
  const run = () => {
    const found = runId() === undefined ? undefined : stored.data;
    return found && latest(found);
  };
  createEffect(() => {
    const found = run();
    if (found) props.onPassed(stateOf(found) === "passed");
  });
  const start = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const required = (tests.data?.tests ?? []).filter((test) => test.required).map(({ id }) => id);
      const request = {
        params: { path: { id: agent().id } },
        body: { tests: required, version: props.version ?? null },
      };
      setRunId((await data(api.POST("/api/v1/agents/{id}/test-runs", request))).id);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const what = () => (props.version === undefined ? t.thisDraft : t.thisVersion);
  const isRunning = () => run()?.status === "running";
  const isAllPassed = () => {
    const found = run();
    return found !== undefined && stateOf(found) === "passed";
  };
  return (
    <section class="stack-12" aria-label={t[props.code](what())}>
      <Show when={!run() || isRunning()}>
        <Note tone="warn">
          <strong>{t[props.code](what())}</strong>
          <p>{namedIn(props.words)}</p>
          <p class="muted">{props.code === "tests_failed" ? t.nextFailed : t.nextNotRun}</p>
        </Note>
      </Show>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <div role="status" class="stack-8">
        <Switch>
          <Match when={isRunning() && run()}>
            {(found) => (
              <>
                <p>{t.running(found().done, found().conversations)}</p>
                <progress max={found().conversations} value={found().done} aria-label={t.run} />
              </>
            )}
          </Match>
          <Match when={run()}>
            {(found) => (
              <Switch fallback={<Note tone="warn">{t.failed(found().failed)}</Note>}>
                <Match when={stateOf(found()) === "passed"}>
                  <Note tone="ok">{t.passed(what())}</Note>
                </Match>
                <Match when={stateOf(found()) === "model_failed"}>
                  <Note tone="warn">{t.notJudged(countTests(found(), "model_failed"))}</Note>
                </Match>
                <Match when={found().status === "failed"}>
                  <Note tone="warn">{t.brokeOff}</Note>
                </Match>
              </Switch>
            )}
          </Match>
        </Switch>
      </div>
      <div class="row">
        <Show when={!isRunning() && !isAllPassed()}>
          <Button needs="createTestRun" kind="primary" busy={isBusy() || !tests.data} onClick={() => void start()}>
            {run() ? t.runAgain : t.run}
          </Button>
        </Show>
        <Show when={run() && runId()}>
          {(id) => (
            <A class={styles.link} href={`/agents/${agent().id}/tests/runs/${id()}`} onClick={props.onLeave}>
              {t.see}
            </A>
          )}
        </Show>
      </div>
    </section>
  );
}

/** Returns the test names in a refusal, without the part that the heading repeats. */
function namedIn(words: string): string {
  const at = words.indexOf(": ");
  return formatSentence(at === -1 ? words : words.slice(at + 2));
}

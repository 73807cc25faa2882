import { useParams } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import { formatSentence } from "../../../texts/format.ts";
import { agentTests, codeInWords } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Loaded, Note } from "../../../ui/feedback.tsx";
import { Play } from "../../../ui/icons.tsx";
import { Row } from "../../../ui/layout.tsx";
import { chosen } from "../../../ui/options.ts";
import { SidePanel } from "../../../ui/page.tsx";
import { useAuthors } from "../../../ui/use-authors.ts";
import { Badge, Time } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { Outcome } from "./last-result.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { countTests, type Run, stateOf } from "./run-events.ts";
import { RunResult } from "./run-result.tsx";
import styles from "./tests.module.css";
import { useTestRun } from "./use-test-run.ts";

const t = agentTests.runs;

export default function RunPanel() {
  const params = useParams<{ runId: string }>();
  return (
    <Show when={params.runId} keyed>
      {(id) => <OneRun id={id} />}
    </Show>
  );
}

function OneRun(props: { id: string }) {
  const agent = useAgent();
  const byWhom = useAuthors();
  const { stored, stream, underWay, latest } = useTestRun(() => props.id);
  const [isAgain, setAgain] = createSignal(false);
  const run = () => {
    const found = stored.data;
    return found && latest(found);
  };
  const title = () => {
    const found = run();
    return found ? t.titleOf(found.version) : t.title;
  };
  return (
    <SidePanel
      title={title()}
      closeTo={`/agents/${agent().id}/tests`}
      lead={
        <Show when={run()}>
          {(found) => (
            <span class="lead">
              <RunBadge run={found()} />
              <Time at={found().created_at} />
              <span>{byWhom(found().created_by)}</span>
            </span>
          )}
        </Show>
      }
      actions={
        <Show when={run() && run()?.status !== "running"}>
          <Button needs="createTestRun" small icon={Play} onClick={() => setAgain(true)}>
            {t.again}
          </Button>
        </Show>
      }
    >
      <Loaded query={stored} missing={t.gone}>
        {(found) => (
          <>
            <Show when={latest(found()).status === "running" && stream() === "lost"}>
              <Note tone="warn">{t.lost}</Note>
            </Show>
            <RunStatus run={latest(found())} />
            <For each={latest(found()).results}>{(result) => <RunResult result={result} />}</For>
            <Show when={latest(found()).status === "running"}>
              <For each={underWay()} fallback={<p class="muted">{t.waiting}</p>}>
                {({ name, repeat }) => (
                  <Row as="p" gap={[4, 12]}>
                    <Badge tone="live">{t.held}</Badge> {name}
                    <Show when={repeat > 1}> ({t.repeat(repeat)})</Show>
                  </Row>
                )}
              </For>
            </Show>
          </>
        )}
      </Loaded>
      <Show when={isAgain()}>
        <RunDialog onClose={() => setAgain(false)} />
      </Show>
    </SidePanel>
  );
}

function RunBadge(props: { run: Run }) {
  return (
    <Show
      when={stateOf(props.run)}
      fallback={<Badge tone={props.run.status === "running" ? "live" : "bad"}>{t.status[props.run.status]}</Badge>}
    >
      {(state) => <Outcome state={state()} />}
    </Show>
  );
}

type Counts = Run["tests"][number]["counts"];
const allOf = ({ passed, failed, model_failed }: Counts) => passed + failed + model_failed;
/** Checks whether the conversations of a test had different results. */
const isMixed = ({ counts }: { counts: Counts }) => Object.values(counts).filter((count) => count > 0).length > 1;

/** The progress or the overall result of a run. */
function RunStatus(props: { run: Run }) {
  const why = () => {
    const { reason } = props.run;
    const named = reason === null ? undefined : chosen(t.reasons, reason);
    return named ? t.reasons[named] : t.otherReason(codeInWords(reason ?? "").toLowerCase());
  };
  const nameOf = (testId: string) => props.run.results.find(({ test_id }) => test_id === testId)?.name ?? testId;
  const hasMixed = () => props.run.tests.some(isMixed);
  return (
    <div class="stack-8" role="status">
      <p>
        {props.run.status === "running"
          ? t.progress(props.run.done, props.run.conversations)
          : t.passed(props.run.passed, props.run.conversations)}
      </p>
      <Show when={props.run.status === "completed" && hasMixed()}>
        <ul>
          <For each={props.run.tests.filter(isMixed)}>
            {({ test_id, state, counts }) => (
              <li>{t.repeated(nameOf(test_id), counts.passed, allOf(counts), agentTests.states[state ?? "failed"])}</li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={countTests(props.run, "model_failed") > 0}>
        <Note tone="warn">{t.notJudged(countTests(props.run, "model_failed"))}</Note>
      </Show>
      <Show when={props.run.status === "running"}>
        <progress
          class={styles.progress}
          max={props.run.conversations}
          value={props.run.done}
          aria-label={agentTests.running}
        />
      </Show>
      <Show when={props.run.status === "failed"}>
        <Note tone="warn">{formatSentence(why())}</Note>
      </Show>
    </div>
  );
}

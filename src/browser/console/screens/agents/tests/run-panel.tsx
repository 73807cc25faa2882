import { useParams } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import { formatSentence } from "../../../texts/format.ts";
import { agentTests, codeInWords } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Loaded, Note } from "../../../ui/feedback.tsx";
import { Play } from "../../../ui/icons.tsx";
import { chosen } from "../../../ui/options.ts";
import { SidePanel } from "../../../ui/page.tsx";
import { useAuthors } from "../../../ui/use-authors.ts";
import { Badge, Time, type Tone } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { RunDialog } from "./run-dialog.tsx";
import { isPassed, type Run } from "./run-events.ts";
import { RunResult } from "./run-result.tsx";
import styles from "./tests.module.css";
import { useTestRun } from "./use-test-run.ts";

const t = agentTests.runs;

/** One run, with the result of each conversation as it arrives. */
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
              <Badge tone={toneOf(found())}>{stateOf(found())}</Badge>
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
            <Standing run={latest(found())} />
            <For each={latest(found()).results}>{(result) => <RunResult result={result} />}</For>
            <Show when={latest(found()).status === "running"}>
              <For each={underWay()} fallback={<p class="muted">{t.waiting}</p>}>
                {({ name, repeat }) => (
                  <p class={styles.underWay}>
                    <Badge tone="live">{t.held}</Badge> {name}
                    <Show when={repeat > 1}> ({t.repeat(repeat)})</Show>
                  </p>
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

function toneOf(run: Run): Tone {
  if (run.status === "running") return "live";
  return isPassed(run) ? "ok" : "bad";
}

function stateOf(run: Run): string {
  if (run.status !== "completed") return t.status[run.status];
  return isPassed(run) ? agentTests.passed : agentTests.failed;
}

/** How far it has got, or its overall result. */
function Standing(props: { run: Run }) {
  const why = () => {
    const { reason } = props.run;
    const named = reason === null ? undefined : chosen(t.reasons, reason);
    return named ? t.reasons[named] : t.otherReason(codeInWords(reason ?? "").toLowerCase());
  };
  return (
    <div class="stack-8" role="status">
      <p>
        {props.run.status === "running"
          ? t.progress(props.run.done, props.run.conversations)
          : t.passed(props.run.passed, props.run.conversations)}
      </p>
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

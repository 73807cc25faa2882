import { For, Match, Show, Switch } from "solid-js";
import { formatNumber } from "../../../texts/format.ts";
import { access, agentTests } from "../../../texts/index.ts";
import { Note } from "../../../ui/feedback.tsx";
import { formatJson } from "../../../ui/json.ts";
import { Sources } from "../../../ui/sources.tsx";
import { Badge } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { expectationInWords } from "./expectation-words.ts";
import { Outcome } from "./last-result.tsx";
import type { Result } from "./run-events.ts";
import styles from "./tests.module.css";

const t = agentTests.result;
type Turn = Result["transcript"][number];

/**
 * The result of one conversation of a test: unmet expectations, each at the turn that contradicts it if there is one.
 */
export function RunResult(props: { result: Result }) {
  const agent = useAgent();
  const titleOf = (id: string) => agent().knowledge.find(({ document_id }) => document_id === id)?.title ?? id;
  const wordsAt = (turn: number | null) =>
    props.result.failures
      .filter((failure) => failure.turn === turn)
      .map(({ expectation }) => (expectation === null ? access.hidden : expectationInWords(expectation, titleOf)));
  const hasTrouble = () => props.result.state !== "passed";
  return (
    <section class={styles.result} aria-label={props.result.name}>
      <h3 class="spread">
        <span>
          {props.result.name}
          <Show when={props.result.repeat > 1}> ({agentTests.runs.repeat(props.result.repeat)})</Show>
        </span>
        <Outcome state={props.result.state} />
      </h3>
      <Show when={props.result.error}>{(error) => <Note tone="warn">{t.errors[error()]}</Note>}</Show>
      <For each={wordsAt(null)}>
        {(words) => (
          <p class={styles.failure}>
            <strong>{t.notMet}:</strong> {words}
          </p>
        )}
      </For>
      <Show when={props.result.unmocked_tools.length > 0}>
        <Note tone="warn">{t.unmocked(props.result.unmocked_tools.join(", "))}</Note>
      </Show>
      <details open={hasTrouble()}>
        <summary>{t.transcript}</summary>
        <Show when={props.result.transcript.length > 0} fallback={<p class="muted">{t.nothing}</p>}>
          <ol class={styles.turns}>
            <For each={props.result.transcript}>{(turn, nth) => <OneTurn turn={turn} failures={wordsAt(nth())} />}</For>
          </ol>
        </Show>
        <p class="quiet">
          {t.tokens(formatNumber(props.result.usage.input_tokens), formatNumber(props.result.usage.output_tokens))}
        </p>
      </details>
    </section>
  );
}

function OneTurn(props: { turn: Turn; failures: string[] }) {
  return (
    <li class={styles.turn} data-role={props.turn.role} data-failed={props.failures.length > 0 ? "" : undefined}>
      <Switch>
        <Match when={props.turn.tool}>
          {(tool) => (
            <>
              <div class={styles.who}>
                <code>{tool().name}</code>
                <Badge tone={tool().answered_by === "nobody" ? "warn" : tool().ok ? "ok" : "bad"}>
                  {t.answeredBy[tool().answered_by]}
                </Badge>
              </div>
              <Show when={tool().arguments !== null} fallback={<p class="muted">{access.hidden}</p>}>
                <pre class={styles.json}>
                  {t.given}: {formatJson(tool().arguments)}
                  {"\n"}
                  {t.answer}: {props.turn.text}
                </pre>
              </Show>
            </>
          )}
        </Match>
        <Match when={!props.turn.tool}>
          <div class={styles.who}>
            <strong>{t.speakers[props.turn.role]}</strong>
          </div>
          <p class={styles.words} dir="auto">
            {props.turn.text ?? access.hidden}
          </p>
          <Sources of={props.turn.sources ?? []} />
        </Match>
      </Switch>
      <For each={props.failures}>
        {(words) => (
          <p class={styles.failure}>
            <strong>{t.here}:</strong> {words}
          </p>
        )}
      </For>
    </li>
  );
}

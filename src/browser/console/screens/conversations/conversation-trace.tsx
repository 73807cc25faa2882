import { createSignal, For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatDuration } from "../../texts/format.ts";
import { trace as t } from "../../texts/index.ts";
import { Loaded } from "../../ui/feedback.tsx";
import { Grid } from "../../ui/layout.tsx";
import { Section } from "../../ui/page.tsx";
import styles from "./conversation-trace.module.css";
import { traceOf } from "./queries.ts";
import { type TracedTurn, tracedTurns } from "./trace-rows.ts";
import { shortTime } from "./words.ts";

/** The time that each response took, as a waterfall of model requests and tool runs. It is loaded when it is opened. */
export function ConversationTrace(props: { conversation: Body<"ConversationDetail"> }) {
  const [open, setOpen] = createSignal(false);
  return (
    <Show when={props.conversation.status === "ended" && may("getConversationTrace")}>
      <Section title={t.title}>
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t.open}</summary>
          <Show when={open()}>
            <Waterfall id={props.conversation.id} />
          </Show>
        </details>
      </Section>
    </Show>
  );
}

function Waterfall(props: { id: string }) {
  const stored = useQuery(() => traceOf(props.id));
  return (
    <Loaded query={stored}>
      {(found) => {
        const traced = () => tracedTurns(found());
        return (
          <Show when={traced().turns.length > 0} fallback={<p class="muted">{t.nothing}</p>}>
            <ol class={styles.turns}>
              <For each={traced().turns}>{(turn) => <Turn turn={turn} longest={traced().longest} />}</For>
            </ol>
          </Show>
        );
      }}
    </Loaded>
  );
}

function Turn(props: { turn: TracedTurn; longest: number }) {
  const share = (ms: number) => `${((ms / props.longest) * 100).toFixed(2)}%`;
  return (
    <li>
      <p class={styles.head}>
        <span>{formatDuration(props.turn.at / 1000)}</span>
        <Show when={props.turn.firstWord !== null} fallback={<span class="muted">{t.noWord}</span>}>
          <span class="muted">{t.firstWord(shortTime(props.turn.firstWord ?? 0))}</span>
        </Show>
      </p>
      <For each={props.turn.steps}>
        {(step) => (
          <Grid columns="minmax(0, 12em) 1fr 5em" align="center" gap={8}>
            <span class={styles.name}>
              {t.kinds[step.kind]} {step.name}
              <Show when={step.failed}> · {t.failed}</Show>
            </span>
            <span class={styles.lane} aria-hidden="true">
              <span
                class={styles.bar}
                classList={{ [styles.tool ?? ""]: step.kind === "tool", [styles.failed ?? ""]: step.failed }}
                style={{ left: share(step.from), width: share(step.took) }}
              />
              <Show when={props.turn.firstWord !== null}>
                <span class={styles.word} style={{ left: share(props.turn.firstWord ?? 0) }} />
              </Show>
            </span>
            <span class={styles.took}>{shortTime(step.took)}</span>
          </Grid>
        )}
      </For>
    </li>
  );
}

import { A } from "@solidjs/router";
import { createSignal, For, type JSX, Match, Show, Switch } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { seesContent } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { formatDuration, formatName, formatNumber, formatSentence } from "../../texts/format.ts";
import { analysis as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Note } from "../../ui/feedback.tsx";
import { Stack } from "../../ui/layout.tsx";
import { Hidden } from "../../ui/not-allowed.tsx";
import { Section } from "../../ui/page.tsx";
import { notify } from "../../ui/toast.tsx";
import type { Tone } from "../../ui/tone.ts";
import { Badge } from "../../ui/values.tsx";
import { VerdictBadge } from "../../ui/verdict.tsx";
import styles from "./conversation-analysis.module.css";
import { sinceThen } from "./timeline.ts";

type Detail = Body<"ConversationDetail">;
type Analysis = NonNullable<Detail["analysis"]>;
type Found = Body<"AnalysisValue">;

export function ConversationAnalysis(props: { conversation: Detail; show: (seq: number) => void }) {
  const isOver = () => props.conversation.status === "ended";
  const isPending = () => props.conversation.analysis?.status === "pending";
  return (
    <Section
      title={t.title}
      actions={
        <Show when={isOver() && !isPending() && seesContent()}>
          <AnalyzeAgain conversation={props.conversation} />
        </Show>
      }
    >
      <Show when={seesContent()} fallback={<Hidden />}>
        <Show when={props.conversation.analysis} fallback={<NotAnalyzed conversation={props.conversation} />}>
          {(analysis) => <AnalysisStatus analysis={analysis()} conversation={props.conversation} show={props.show} />}
        </Show>
      </Show>
    </Section>
  );
}

function NotAnalyzed(props: { conversation: Detail }) {
  return (
    <Show when={props.conversation.status === "ended"} fallback={<p class="muted">{t.live}</p>}>
      <p class="muted">
        {t.off} <A href={`/agents/${props.conversation.agent_id}/analysis`}>{t.setUp}</A>
      </p>
    </Show>
  );
}

function AnalyzeAgain(props: { conversation: Detail }) {
  const [isBusy, setBusy] = createSignal(false);
  const analyze = async () => {
    setBusy(true);
    try {
      const path = { id: props.conversation.id };
      await data(api.POST("/api/v1/conversations/{id}/analyze", { params: { path } }));
      notify(t.asked);
    } finally {
      setBusy(false);
      await invalidate("conversations");
    }
  };
  const isFirst = () => props.conversation.analysis === null;
  const verb = () => (isFirst() ? t.first : t.again);
  return (
    <Button
      needs="analyzeConversation"
      small
      busy={isBusy()}
      onClick={() => void confirmed({ title: t.againTitle, body: t.againBody, verb: verb() }, analyze)}
    >
      {verb()}
    </Button>
  );
}

function AnalysisStatus(props: { analysis: Analysis; conversation: Detail; show: (seq: number) => void }) {
  const why = () => {
    const { reason } = props.analysis;
    if (reason === "budget") return t.budget;
    return reason === null ? t.noReason : formatSentence(reason);
  };
  return (
    <Switch fallback={<Findings {...props} />}>
      <Match when={props.analysis.status === "pending"}>
        <p role="status">
          <Badge tone="live">{t.statuses.pending}</Badge> <span class="muted">{t.pending}</span>
        </p>
      </Match>
      <Match when={props.analysis.status === "failed"}>
        <Note tone="warn">{t.failed(why())}</Note>
      </Match>
      <Match when={props.analysis.status === "skipped"}>
        <p class="muted">{t.skipped(why())}</p>
      </Match>
    </Switch>
  );
}

function Findings(props: { analysis: Analysis; conversation: Detail; show: (seq: number) => void }) {
  const values = () => Object.entries(props.analysis.data);
  const isNothing = () => props.analysis.criteria.length === 0 && values().length === 0;
  const tokens = () => formatNumber(props.analysis.usage.input_tokens + props.analysis.usage.output_tokens);
  return (
    <div class="stack-12">
      <VerdictBadge of={props.analysis.successful} />
      <Show when={props.analysis.summary}>
        {(words) => (
          <div>
            <p class={styles.summary}>{words()}</p>
            <p class="quiet">{t.summaryNote}</p>
          </div>
        )}
      </Show>
      <Show when={props.analysis.criteria.length > 0}>
        <FindingList title={t.goals}>
          <For each={props.analysis.criteria}>
            {(criterion) => (
              <li class={styles.finding}>
                <div class="spread">
                  <strong>{formatName(criterion.name)}</strong>
                  <Badge tone={TONES[criterion.verdict]}>{t.verdictsShort[criterion.verdict]}</Badge>
                </div>
                <p>{criterion.rationale ?? <span class="muted">{t.rationaleNone}</span>}</p>
                <Cited turns={criterion.turns} conversation={props.conversation} show={props.show} />
              </li>
            )}
          </For>
        </FindingList>
      </Show>
      <Show when={values().length > 0}>
        <FindingList title={t.values}>
          <For each={values()}>
            {([name, found]) => (
              <li class={styles.finding}>
                <div class="spread">
                  <strong>{formatName(name)}</strong>
                  <Show when={found.value !== null}>
                    <span class={styles.value}>{t.value(found.value ?? "")}</span>
                  </Show>
                  <Show when={found.state !== "found"}>
                    <State of={found} />
                  </Show>
                </div>
                <Show when={found.state !== "found" && found.state}>
                  {(state) => <p class="muted">{t.explained[state()]}</p>}
                </Show>
                <Show when={found.state === "found" && found.by}>{(by) => <p class="muted">{t.by[by()]}</p>}</Show>
                <Cited turns={found.turns} conversation={props.conversation} show={props.show} />
              </li>
            )}
          </For>
        </FindingList>
      </Show>
      <Show when={isNothing()}>
        <p class="muted">{t.noneAsked}</p>
      </Show>
      <Show when={props.analysis.model}>{(model) => <p class="quiet">{t.readBy(model(), tokens())}</p>}</Show>
    </div>
  );
}

const TONES: Record<Analysis["successful"], Tone> = { success: "ok", failure: "bad", unknown: "idle" };

function FindingList(props: { title: string; children: JSX.Element }) {
  return (
    <div class="stack-8">
      <h3>{props.title}</h3>
      <Stack as="ul" gap={8} aria-label={props.title}>
        {props.children}
      </Stack>
    </div>
  );
}

const WARNED: ReadonlySet<Found["state"]> = new Set(["unverified", "invalid"]);

function State(props: { of: Found }) {
  return <Badge tone={WARNED.has(props.of.state) ? "warn" : "idle"}>{t.states[props.of.state]}</Badge>;
}

/** Links to the turns that support a finding, labeled with their times. */
function Cited(props: { turns: number[]; conversation: Detail; show: (seq: number) => void }) {
  const cited = () =>
    props.turns.flatMap((seq) => {
      const turn = props.conversation.turns?.find((each) => each.seq === seq);
      if (!turn) return [];
      return { seq, at: formatDuration(sinceThen(props.conversation.started_at, turn.at) / 1000) };
    });
  return (
    <Show when={cited().length > 0}>
      <p class={styles.cited}>
        <span class="muted">{t.restsOn}</span>
        <For each={cited()}>
          {({ seq, at }) => (
            <button type="button" class={styles.turn} aria-label={t.cited(at)} onClick={() => props.show(seq)}>
              {at}
            </button>
          )}
        </For>
      </p>
    </Show>
  );
}

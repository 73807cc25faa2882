import { createEffect, createMemo, createSignal, For, onCleanup, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { formatDuration } from "../../texts/format.ts";
import { access, conversations as t } from "../../texts/index.ts";
import { Wrench } from "../../ui/icons.tsx";
import type { RecordingPlayer } from "../../ui/player.tsx";
import { Sources } from "../../ui/sources.tsx";
import { Badge } from "../../ui/values.tsx";
import { languageFrom, offsetsOf, sinceThen, turnAt, waitsOf } from "./timeline.ts";
import styles from "./transcript.module.css";
import { shortTime, speakerIn } from "./words.ts";

type Detail = Body<"ConversationDetail">;
type Turn = Body<"ConversationTurn">;

/** Response time from which callers wonder whether anyone is there, ms. */
const SLOW_MS = 1_500;

/** A recording and its position relative to the turns. */
export interface Playback {
  player: RecordingPlayer;
  from: string;
}

/**
 * A conversation's turns and tool uses, with the position of the recording. Clicking a turn plays the recording from
 * there.
 */
export function Transcript(props: {
  conversation: Detail;
  playback?: Playback | undefined;
  /** The number of the turn to scroll to and highlight. A new object scrolls again. */
  shown?: { seq: number } | undefined;
}) {
  const turns = () => props.conversation.turns ?? [];
  const waits = createMemo(() => waitsOf(turns()));
  const offsets = createMemo(() =>
    props.playback ? offsetsOf(turns(), props.playback.from, props.playback.player.duration()) : [],
  );
  const current = createMemo(() => {
    const player = props.playback?.player;
    return player && (player.isPlaying() || player.time() > 0) ? turnAt(turns(), offsets(), player.time()) : -1;
  });
  const playFrom = (event: MouseEvent, offset: number | null | undefined) => {
    // Selecting text or opening details doesn't play the recording.
    const isElse = event.target instanceof Element && event.target.closest("details") !== null;
    if (offset === null || offset === undefined || isElse || getSelection()?.isCollapsed === false) return;
    props.playback?.player.playFrom(offset);
  };
  const [isAtEnd, setAtEnd] = createSignal(false);
  let end: HTMLDivElement | undefined;
  const watch = (element: HTMLDivElement) => {
    end = element;
    const watcher = new IntersectionObserver(([entry]) => setAtEnd(entry?.isIntersecting ?? false));
    watcher.observe(element);
    onCleanup(() => watcher.disconnect());
  };
  // Keeps the end of a live transcript visible if the reader is there.
  createEffect<number>((before) => {
    const count = turns().length;
    if (count > before && before > 0 && isAtEnd() && props.conversation.status === "live")
      end?.scrollIntoView({ block: "nearest" });
    return count;
  }, 0);

  let list: HTMLOListElement | undefined;
  createEffect(() => {
    const { shown } = props;
    const turn = shown && list?.querySelector<HTMLElement>(`[data-seq="${shown.seq}"]`);
    turn?.focus({ preventScroll: true });
    turn?.scrollIntoView({ block: "center" });
  });

  return (
    <Show when={turns().length > 0} fallback={<p class="muted">{withoutTurns(props.conversation)}</p>}>
      <Show when={offsets().some((offset) => offset === null)}>
        <p class="muted">{t.recording.shorter}</p>
      </Show>
      <ol
        ref={list}
        class={styles.turns}
        aria-label={t.transcript}
        aria-live={props.conversation.status === "live" ? "polite" : "off"}
      >
        <For each={turns()}>
          {(turn, nth) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the button within it does the same by key.
            <li
              class={`${styles.turn} ${typeof offsets()[nth()] === "number" ? styles.plays : ""}`}
              data-role={turn.role}
              data-seq={turn.seq}
              data-shown={props.shown?.seq === turn.seq ? "" : undefined}
              tabindex={-1}
              aria-current={current() === nth() ? "true" : undefined}
              onClick={(event) => playFrom(event, offsets()[nth()])}
            >
              <At turn={turn} began={props.conversation.started_at} offset={offsets()[nth()] ?? undefined} />
              <Show
                when={turn.tool_call}
                fallback={
                  <SpokenTurn
                    turn={turn}
                    user={speakerIn(props.conversation)}
                    wait={waits().get(turn.seq)}
                    language={languageFrom(turns(), nth())}
                  />
                }
              >
                {(use) => <ToolUse use={use()} />}
              </Show>
            </li>
          )}
        </For>
      </ol>
      <div ref={watch} />
    </Show>
  );
}

/** The time of a turn. If the recording contains the turn, it is a button that plays from there. */
function At(props: { turn: Turn; began: string; offset: number | undefined }) {
  const at = () => formatDuration(sinceThen(props.began, props.turn.at) / 1000);
  return (
    <Show when={props.offset !== undefined} fallback={<span class={styles.at}>{at()}</span>}>
      <button type="button" class={`${styles.at} ${styles.play}`} title={t.playFrom(at())}>
        <span class="visually-hidden">{t.playFrom(at())}</span>
        <span aria-hidden="true">{at()}</span>
      </button>
    </Show>
  );
}

function SpokenTurn(props: { turn: Turn; user: string; wait: number | undefined; language: string | null }) {
  const speaker = () => (props.turn.role === "agent" ? t.speakers.agent : props.user);
  return (
    <div class={styles.said}>
      <div class={styles.who}>
        <span class={styles.speaker}>{speaker()}</span>
        <Show when={props.wait !== undefined}>
          <Show
            when={(props.wait ?? 0) >= SLOW_MS}
            fallback={<span class="muted">{t.answeredAfter(shortTime(props.wait ?? 0))}</span>}
          >
            <Badge tone="warn">{t.slow(shortTime(props.wait ?? 0))}</Badge>
          </Show>
        </Show>
        <Show when={props.turn.interrupted}>
          <span class="muted" title={t.interruptedMore}>
            {t.interrupted}
          </span>
        </Show>
        <Show when={props.language}>{(language) => <span class="muted">{t.inLanguage(language())}</span>}</Show>
        <Show when={props.turn.finish}>{(finish) => <Badge tone="warn">{t.cut[finish()]}</Badge>}</Show>
      </div>
      <p class={styles.words} dir="auto" lang={props.turn.lang ?? undefined}>
        {props.turn.text}
      </p>
      <Sources of={props.turn.sources ?? []} />
    </div>
  );
}

const TONES = { running: "live", ok: "ok", failed: "bad", unknown: "warn" } as const;

function ToolUse(props: { use: NonNullable<Turn["tool_call"]> }) {
  // A runtime that runs the tool itself may not have reported its result.
  const wasNeverReported = () => props.use.state === "unknown" && props.use.ok === null;
  return (
    <details class={styles.tool}>
      <summary>
        <Wrench size={14} />
        <code>{props.use.name}</code>
        <Badge tone={wasNeverReported() ? "idle" : TONES[props.use.state]}>
          {wasNeverReported() ? t.tool.noResult : t.tool[props.use.state]}
        </Badge>
        <Show when={props.use.duration_ms !== null && props.use.duration_ms}>
          {(ms) => <span class="muted">{t.tool.took(shortTime(ms()))}</span>}
        </Show>
      </summary>
      <h4>{t.tool.given}</h4>
      <pre>{written(props.use.arguments)}</pre>
      <Show when={props.use.ok !== null}>
        <h4>{t.tool.result}</h4>
        <Show when={props.use.state === "unknown"} fallback={<pre>{written(props.use.result)}</pre>}>
          <p>{t.tool.unknownMore}</p>
        </Show>
      </Show>
    </details>
  );
}

function withoutTurns({ turns, turn_count, complete, status, storage }: Detail): string {
  if (turns === null) return access.hidden;
  if (storage === "metadata") return t.notStored;
  return turn_count > 0 && !complete && status === "ended" ? t.lost : t.noTurns;
}

function written(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

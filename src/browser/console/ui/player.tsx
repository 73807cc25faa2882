import { createSignal, onCleanup, Show } from "solid-js";
import { api, data } from "../api/client.ts";
import { formatDuration } from "../texts/format.ts";
import { history as t } from "../texts/index.ts";
import { Button, IconButton } from "./button.tsx";
import { Failure } from "./feedback.tsx";
import { Pause, Play } from "./icons.tsx";
import styles from "./player.module.css";

interface Recording {
  id: string;
  duration_ms: number | null;
}

/** Playback speeds, for users who listen to many recordings. */
const SPEEDS = [1, 1.25, 1.5, 2];

/** Returns a URL that plays a recording for a few minutes. Each one is recorded in the audit log. @throws ApiFailure */
export async function playbackUrl(id: string): Promise<string> {
  const path = { id };
  return (await data(api.GET("/api/v1/recordings/{id}/url", { params: { path } }))).url;
}

/** Plays a recording. It requests the URL when first played, and again after the URL expired. */
export function createPlayer(recording: Recording) {
  const audio = new Audio();
  audio.preload = "auto";
  const [time, setTime] = createSignal(0);
  const [duration, setDuration] = createSignal((recording.duration_ms ?? 0) / 1000);
  const [isPlaying, setPlaying] = createSignal(false);
  const [isLoading, setLoading] = createSignal(false);
  const [failure, setFailure] = createSignal<unknown>();
  const [speed, setSpeedTo] = createSignal(1);
  let isStale = true;
  let start = 0;

  audio.addEventListener("timeupdate", () => setTime(audio.currentTime));
  audio.addEventListener("playing", () => setLoading(false));
  audio.addEventListener("play", () => setPlaying(true));
  for (const stopped of ["pause", "ended"]) audio.addEventListener(stopped, () => setPlaying(false));
  audio.addEventListener("durationchange", () => {
    if (Number.isFinite(audio.duration)) setDuration(audio.duration);
  });
  audio.addEventListener("loadedmetadata", () => {
    audio.currentTime = start;
    audio.playbackRate = speed();
  });
  audio.addEventListener("error", () => {
    // The URL has probably expired, so the next press requests a new one.
    isStale = true;
    start = time();
  });
  let isGone = false;
  onCleanup(() => {
    isGone = true;
    audio.pause();
    audio.removeAttribute("src");
    audio.load();
  });

  async function play(): Promise<void> {
    // Requests one URL at a time, because each is recorded in the audit log.
    if (isLoading()) return;
    setFailure(undefined);
    setLoading(true);
    try {
      if (isStale) {
        const url = await playbackUrl(recording.id);
        if (isGone) return;
        audio.src = url;
        isStale = false;
      }
      await audio.play();
    } catch (error) {
      // Pausing right after playing aborts the play and isn't a failure.
      if (!(error instanceof DOMException && error.name === "AbortError")) setFailure(error);
    } finally {
      setLoading(false);
    }
  }
  function seek(seconds: number): void {
    setTime(seconds);
    start = seconds;
    if (!isStale && audio.readyState > 0) audio.currentTime = seconds;
  }

  return {
    /** Position and length in seconds. */
    time,
    duration,
    isPlaying,
    isLoading,
    failure,
    speed,
    seek,
    setSpeed(times: number): void {
      setSpeedTo(times);
      audio.playbackRate = times;
    },
    toggle: () => (isPlaying() ? audio.pause() : void play()),
    /** Plays from a position in seconds. */
    playFrom(seconds: number): void {
      seek(seconds);
      if (!isPlaying()) void play();
    },
  };
}

export type RecordingPlayer = ReturnType<typeof createPlayer>;

export function Player(props: { player: RecordingPlayer }) {
  const spoken = () => t.positionOf(formatDuration(props.player.time()), formatDuration(props.player.duration()));
  const next = () => SPEEDS[(SPEEDS.indexOf(props.player.speed()) + 1) % SPEEDS.length] ?? 1;
  return (
    <section class={styles.player} aria-label={t.player}>
      <IconButton
        kind="primary"
        icon={props.player.isPlaying() ? Pause : Play}
        label={props.player.isPlaying() ? t.pause : t.play}
        aria-busy={props.player.isLoading()}
        onClick={() => props.player.toggle()}
      />
      <input
        class={styles.position}
        type="range"
        min="0"
        max={props.player.duration()}
        step="0.1"
        aria-label={t.position}
        aria-valuetext={spoken()}
        value={props.player.time()}
        onInput={(event) => props.player.seek(event.currentTarget.valueAsNumber)}
      />
      <span class={styles.time}>
        {formatDuration(props.player.time())}
        <span class="muted"> / {formatDuration(props.player.duration())}</span>
      </span>
      <Button kind="quiet" small title={t.speed} onClick={() => props.player.setSpeed(next())}>
        <span class="visually-hidden">{t.speed} </span>
        {t.times(props.player.speed())}
      </Button>
      <Show when={props.player.failure()}>
        {(error) => (
          <div class={styles.failure}>
            <Failure error={error()} />
          </div>
        )}
      </Show>
    </section>
  );
}

import { createSignal, For } from "solid-js";
import { ApiFailure } from "../api/client.ts";
import { formatSentence } from "../texts/format.ts";
import { access, common } from "../texts/index.ts";
import styles from "./toast.module.css";

interface Toast {
  words: string;
  tone: "ok" | "bad";
}

/** Time that a message is shown, ms: long enough to read it twice. */
const SHOWN_MS = 6_000;
const [toasts, setToasts] = createSignal<Toast[]>([]);

/** Shows a message for a few seconds, also to screen readers. */
export function notify(words: string, tone: Toast["tone"] = "ok"): void {
  const toast = { words, tone };
  setToasts((shown) => [...shown, toast]);
  setTimeout(() => setToasts((shown) => shown.filter((each) => each !== toast)), SHOWN_MS);
}

export function notifyFailure(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) return;
  notify(wordsOf(error), "bad");
}

export function wordsOf(error: unknown): string {
  if (error instanceof ApiFailure && error.status === 0) return common.unreachable;
  const words = error instanceof Error ? error.message : "";
  if (error instanceof ApiFailure && error.status === 429 && error.retryAfterS > 0)
    return `${formatSentence(words || common.tooMany)} ${common.again(Math.ceil(error.retryAfterS))}`;
  if (words === "") return common.failed;
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return error instanceof ApiFailure && error.code === "missing_scope" ? access.refused(sentence) : sentence;
}

/** Shows the messages of `notify`. There is one on every page. */
export function Toasts() {
  return (
    <div class={styles.toasts} role="status" aria-live="polite">
      <For each={toasts()}>
        {(toast) => <p class={`${styles.toast} ${toast.tone === "bad" ? styles.bad : ""}`}>{toast.words}</p>}
      </For>
    </div>
  );
}

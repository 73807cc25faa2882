import { createEffect, For, Match, onCleanup, Show, Switch } from "solid-js";
import { wordsOf } from "../../../../widget/words.ts";
import { talk as t } from "../../../texts/index.ts";
import { Note } from "../../../ui/feedback.tsx";
import { chosen } from "../../../ui/options.ts";
import type { Tone } from "../../../ui/tone.ts";
import { Badge } from "../../../ui/values.tsx";
import type { createConversation, Entry } from "./conversation.ts";
import styles from "./talk.module.css";

/**
 * The log follows new lines only while it is scrolled to within this distance of its end, px. Otherwise the user is
 * reading further up.
 */
const FOLLOW_PX = 60;
const TONES: Record<keyof typeof t.tools, Tone> = { running: "live", done: "ok", failed: "bad" };

export function Lines(props: { conversation: ReturnType<typeof createConversation>; agentName: string }) {
  const follow = (log: HTMLElement) => {
    let follows = true;
    log.addEventListener("scroll", () => {
      follows = log.scrollHeight - log.scrollTop - log.clientHeight < FOLLOW_PX;
    });
    // Content below the log can make the log smaller.
    const resized = new ResizeObserver(() => {
      if (follows) log.scrollTop = log.scrollHeight;
    });
    resized.observe(log);
    onCleanup(() => resized.disconnect());
    createEffect(() => {
      const { entries, isTyping, trouble } = props.conversation;
      const last = entries.at(-1);
      // Reads everything that makes the log longer, so that its end stays visible.
      void [entries.length, last?.kind === "words" && last.text, isTyping(), trouble()];
      if (last?.kind === "words" && last.from === "you") follows = true;
      if (follows) log.scrollTop = log.scrollHeight;
    });
  };
  return (
    <div class={styles.log} role="log" aria-label={t.log} tabindex="0" ref={follow}>
      <For each={props.conversation.entries}>{(entry) => <OneEntry entry={entry} agentName={props.agentName} />}</For>
      <Show when={props.conversation.isTyping()}>
        <div class={`${styles.line} ${styles.agent} ${styles.dots}`} aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      </Show>
      <Show when={props.conversation.trouble()}>{(words) => <Note tone="warn">{t.trouble(words())}</Note>}</Show>
    </div>
  );
}

function OneEntry(props: { entry: Entry; agentName: string }) {
  return (
    <Switch>
      <Match when={props.entry.kind === "tool" && props.entry}>
        {(tool) => <ToolUse name={tool().name} state={tool().state} />}
      </Match>
      <Match when={props.entry.kind === "words" && props.entry}>
        {(words) => (
          <div class={`${styles.line} ${styles[words().from]}`}>
            <span class="visually-hidden">{words().from === "agent" ? props.agentName : t.you}: </span>
            <div class={styles.words} dir="auto">
              {words().from === "agent" ? wordsOf(words().text, words().isWhole) : words().text}
            </div>
          </div>
        )}
      </Match>
    </Switch>
  );
}

function ToolUse(props: { name: string; state: string }) {
  const state = () => chosen(t.tools, props.state) ?? "running";
  return (
    <div class={styles.tool}>
      <code>{props.name}</code>
      <Badge tone={TONES[state()]}>{t.tools[state()]}</Badge>
    </div>
  );
}

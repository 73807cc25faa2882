import { children, createSignal, For, type JSX, Show } from "solid-js";
import { formatAhead, formatExact, formatRelative } from "../texts/format.ts";
import { common } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import { Check, Copy as CopyIcon } from "./icons.tsx";
import { now } from "./now.ts";
import { groupedNumber, isMasked } from "./phone-number.ts";
import { notify } from "./toast.tsx";
import type { Tone } from "./tone.ts";
import styles from "./values.module.css";

/** A time as its distance from now, the exact one on hover; a dash for none. `ahead`: it has not come yet. */
export function Time(props: { at: string | null | undefined; ahead?: boolean }) {
  return (
    <Show when={props.at} fallback={<span class="muted">–</span>}>
      {(at) => (
        <time datetime={at()} title={formatExact(at())}>
          {(props.ahead ? formatAhead : formatRelative)(at(), now())}
        </time>
      )}
    </Show>
  );
}

/** How long the check mark stands after a copy, ms. */
const COPIED_MS = 1_500;

/** Copies a text. */
export function Copy(props: { text: string; label?: string }) {
  const [isCopied, setCopied] = createSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(props.text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
    notify(common.copied);
  };
  return (
    <IconButton
      small
      icon={isCopied() ? Check : CopyIcon}
      label={props.label ?? common.copy}
      onClick={(event) => {
        event.stopPropagation();
        event.preventDefault();
        void copy();
      }}
    />
  );
}

/** An id or the like, and the way to copy it. */
export function CopiedCode(props: { text: string; label?: string }) {
  return (
    <>
      <code>{props.text}</code> <Copy {...props} />
    </>
  );
}

/** A phone number in groups, to be copied as it is dialled. */
export function PhoneNumber(props: { e164: string; plain?: boolean }) {
  return (
    <span class={styles.phone}>
      <span>{groupedNumber(props.e164)}</span>
      <Show when={!props.plain && !isMasked(props.e164)}>
        <Copy text={props.e164} />
      </Show>
    </span>
  );
}

/** A state in a word, with a mark of its tone. */
export function Badge(props: { tone: Tone; children: JSX.Element }) {
  return (
    <span class={`${styles.badge} ${styles[props.tone]}`}>
      <svg class={styles.mark} viewBox="0 0 10 10" aria-hidden="true">
        <path d={MARKS[props.tone]} />
      </svg>
      {props.children}
    </span>
  );
}

/** A circle for what is well, a triangle to look at, a square for what failed, a ring for what waits. */
const MARKS: Record<Tone, string> = {
  ok: "M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8z",
  live: "M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8z",
  info: "M5 0.6L9.4 5L5 9.4L0.6 5z",
  warn: "M5 1L9.4 9H0.6z",
  bad: "M1.4 1.4h7.2v7.2H1.4z",
  idle: "M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM5 2.6a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 0 0 0-4.8z",
};

/** A name and its value; one without a value is left out. */
export type Fact = [name: string, value: () => JSX.Element];

/** Names and values under each other. */
export function Facts(props: { of: Fact[] }) {
  return (
    <dl class={styles.facts}>
      <For each={props.of}>
        {([name, value]) => {
          const shown = children(value);
          return (
            <Show when={shown()}>
              <div>
                <dt>{name}</dt>
                <dd>{shown()}</dd>
              </div>
            </Show>
          );
        }}
      </For>
    </dl>
  );
}

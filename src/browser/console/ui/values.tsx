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

/**
 * Shows a time relative to now and the exact time on hover; a dash if there is none. `ahead`: the time is in the
 * future.
 */
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

/** Time that the check mark is shown after copying, ms. */
const COPIED_MS = 1_500;

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

/** An ID or similar code with a copy button. */
export function CopiedCode(props: { text: string; label?: string }) {
  return (
    <>
      <code>{props.text}</code> <Copy {...props} />
    </>
  );
}

/** A phone number in groups. Copying it copies the number without spaces. */
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

/** A state in one word, with a mark for its tone. */
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

/** A circle means OK, a triangle a warning, a square a failure and a ring waiting. */
const MARKS: Record<Tone, string> = {
  ok: "M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8z",
  live: "M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8z",
  info: "M5 0.6L9.4 5L5 9.4L0.6 5z",
  warn: "M5 1L9.4 9H0.6z",
  bad: "M1.4 1.4h7.2v7.2H1.4z",
  idle: "M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM5 2.6a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 0 0 0-4.8z",
};

export type Fact = [name: string, value: () => JSX.Element];

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

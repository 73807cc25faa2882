import { type JSX, Show } from "solid-js";
import { formatNumber } from "../texts/format.ts";
import { limits as t } from "../texts/index.ts";
import { NEARLY_FULL } from "./nearly-full.ts";
import styles from "./usage.module.css";
import { Badge } from "./values.tsx";

/** Shows usage of a limit as numbers and as a bar. */
export function Usage(props: {
  name: string;
  used: number;
  limit: number;
  format?: (amount: number) => string;
  children?: JSX.Element;
}) {
  const share = () => (props.limit === 0 ? 1 : Math.min(1, props.used / props.limit));
  const format = (amount: number) => (props.format ?? formatNumber)(amount);
  return (
    <div class={styles.usage}>
      <div class={styles.words}>
        <span>{props.name}</span>
        <span class="numbers">{t.of(format(props.used), format(props.limit))}</span>
      </div>
      <Bar share={share()} isNearlyFull={share() >= NEARLY_FULL} />
      <Show when={share() >= NEARLY_FULL}>
        <Badge tone={share() === 1 ? "bad" : "warn"}>{share() === 1 ? t.full : t.nearlyFull}</Badge>
      </Show>
      <Show when={props.children}>
        <div class="quiet">{props.children}</div>
      </Show>
    </div>
  );
}

/** A decorative bar beside the same numbers in text. */
export function Bar(props: {
  share: number;
  /** Whether little room is left, which needs attention. */
  isNearlyFull?: boolean;
}) {
  return (
    <span class={styles.track} aria-hidden="true">
      <span
        class={styles.fill}
        data-full={props.isNearlyFull ? (props.share === 1 ? "reached" : "nearly") : undefined}
        style={{ transform: `scaleX(${props.share})` }}
      />
    </span>
  );
}

export function Usages(props: { children: JSX.Element }) {
  return <div class={styles.usages}>{props.children}</div>;
}

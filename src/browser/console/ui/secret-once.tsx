import { onMount } from "solid-js";
import { common } from "../texts/index.ts";
import { Note } from "./feedback.tsx";
import styles from "./secret-once.module.css";
import { Copy } from "./values.tsx";

/** Shows a secret once. It scrolls into view, because the form may have been scrolled down to its button. */
export function SecretOnce(props: { label: string; secret: string }) {
  let shown: HTMLDivElement | undefined;
  onMount(() =>
    requestAnimationFrame(() => {
      shown?.scrollIntoView({ block: "nearest" });
      shown?.focus({ preventScroll: true });
    }),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div ref={shown} class={styles.shown} role="group" aria-label={props.label} tabindex="-1">
      <Note tone="warn">
        <strong>{common.shownOnce}</strong>
        <div class={styles.secret}>
          <code>{props.secret}</code>
          <Copy text={props.secret} label={common.copyOf(props.label)} />
        </div>
      </Note>
    </div>
  );
}

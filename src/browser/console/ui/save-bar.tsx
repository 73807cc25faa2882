import { type JSX, Show } from "solid-js";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import styles from "./save-bar.module.css";

/** Saves a form or discards its changes. It is visible while there are unsaved changes. */
export function SaveBar(props: {
  form: { dirty: () => boolean; busy: () => boolean; reset: () => void };
  verb?: string;
  children?: JSX.Element;
}) {
  return (
    <div class={styles.bar} data-dirty={props.form.dirty() ? "" : undefined}>
      <Button kind="primary" type="submit" busy={props.form.busy()} disabled={!props.form.dirty()}>
        {props.verb ?? common.saveChanges}
      </Button>
      <Show when={props.form.dirty()}>
        <Button onClick={() => props.form.reset()}>{common.discard}</Button>
      </Show>
      <span class="muted">{props.children}</span>
    </div>
  );
}

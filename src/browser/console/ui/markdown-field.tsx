import { createSignal, type JSX } from "solid-js";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import fields from "./fields.module.css";
import styles from "./markdown.module.css";
import { Markdown } from "./markdown.tsx";

/** Field for Markdown with a preview beside it, or in its place on small screens. */
export function MarkdownField(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: JSX.Element;
  error?: string | undefined;
  rows?: number;
  required?: boolean;
  "data-field"?: string;
}) {
  const [side, setSide] = createSignal<"write" | "preview">("write");
  const choice = (to: "write" | "preview", words: string) => (
    <Button small kind="quiet" aria-pressed={side() === to} onClick={() => setSide(to)}>
      {words}
    </Button>
  );
  return (
    <Field label={props.label} hint={props.hint} error={props.error} data-field={props["data-field"]}>
      {(control) => (
        <div class={styles.field} data-side={side()}>
          <div class={styles.choice}>
            {choice("write", common.write)}
            {choice("preview", common.preview)}
          </div>
          <div class={styles.sides}>
            <div class={styles.text}>
              <textarea
                {...control}
                class={`${fields.control} ${fields.code}`}
                rows={props.rows ?? 16}
                required={props.required}
                value={props.value}
                onInput={(event) => props.onInput(event.currentTarget.value)}
              />
            </div>
            <section class={styles.preview} aria-label={common.preview} tabindex="0">
              <Markdown text={props.value} />
            </section>
          </div>
        </div>
      )}
    </Field>
  );
}

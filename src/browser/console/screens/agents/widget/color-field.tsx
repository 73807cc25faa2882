import { agents } from "../../../texts/index.ts";
import { Field } from "../../../ui/field.tsx";
import { isColor, sixDigits } from "./color.ts";
import styles from "./widget.module.css";

const t = agents.widget;

export function ColorField(props: {
  label: string;
  hint: string;
  value: string;
  onInput: (value: string) => void;
  error: string | undefined;
  "data-field"?: string;
}) {
  return (
    <Field
      label={props.label}
      hint={props.hint}
      error={props.error ?? (isColor(props.value) ? undefined : t.noColor)}
      data-field={props["data-field"]}
    >
      {(control) => (
        <div class={styles.color}>
          <input
            type="color"
            aria-label={t.pick(props.label)}
            value={sixDigits(props.value)}
            onInput={(event) => props.onInput(event.currentTarget.value)}
          />
          <input
            {...control}
            type="text"
            spellcheck={false}
            maxlength={9}
            required
            value={props.value}
            onInput={(event) => props.onInput(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}

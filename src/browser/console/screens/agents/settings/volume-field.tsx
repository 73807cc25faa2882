import { formatShare } from "../../../texts/format.ts";
import { agents as t } from "../../../texts/index.ts";
import { Field } from "../../../ui/field.tsx";
import styles from "./settings.module.css";

export function VolumeField(props: {
  value: number;
  onInput: (value: number) => void;
  hint: string;
  error: string | undefined;
}) {
  return (
    <Field label={t.fields.volume} hint={props.hint} error={props.error}>
      {(control) => (
        <div class={styles.volume}>
          <input
            {...control}
            type="range"
            min={0}
            max={1}
            step={0.05}
            value={props.value}
            onInput={(event) => props.onInput(event.currentTarget.valueAsNumber)}
          />
          <output>{formatShare(props.value)}</output>
        </div>
      )}
    </Field>
  );
}

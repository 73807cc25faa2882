import { createEffect, createMemo } from "solid-js";
import { agentTests } from "../../../texts/index.ts";
import { Field } from "../../../ui/field.tsx";
import fields from "../../../ui/fields.module.css";
import { objectIn } from "../../../ui/json.ts";

/** Field for an optional JSON object. The form can't be sent while it is invalid. */
export function ObjectField(props: {
  label: string;
  hint: string;
  value: string;
  onInput: (text: string) => void;
  error: string | undefined;
}) {
  const fault = createMemo(() => (props.value.trim() === "" || objectIn(props.value) ? "" : agentTests.form.notObject));
  return (
    <Field label={props.label} hint={props.hint} error={fault() || props.error}>
      {(control) => (
        <textarea
          {...control}
          ref={(area) => createEffect(() => area.setCustomValidity(fault()))}
          class={`${fields.control} ${fields.code}`}
          rows={2}
          spellcheck={false}
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

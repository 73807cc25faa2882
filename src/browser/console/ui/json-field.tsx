import { createEffect, createMemo, type JSX } from "solid-js";
import { common } from "../texts/index.ts";
import { Field } from "./field.tsx";
import fields from "./fields.module.css";
import { parseJson } from "./json.ts";

/** Field for a JSON value. The form can't be sent while it is invalid. */
export function JsonField(props: {
  label: string;
  value: string;
  onInput: (text: string) => void;
  hint?: JSX.Element;
  error?: string | undefined;
  labelHidden?: boolean;
  rows?: number;
  required?: boolean;
  "data-field"?: string;
}) {
  const fault = createMemo(() => {
    const parsed = parseJson(props.value);
    return parsed.ok ? "" : common.noJson(parsed.fault);
  });
  return (
    <Field
      label={props.label}
      hint={props.hint}
      error={fault() || props.error}
      labelHidden={props.labelHidden ?? false}
      data-field={props["data-field"]}
    >
      {(control) => (
        <textarea
          {...control}
          ref={(area) => createEffect(() => area.setCustomValidity(fault()))}
          class={`${fields.control} ${fields.code}`}
          rows={props.rows ?? 6}
          required={props.required}
          spellcheck={false}
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

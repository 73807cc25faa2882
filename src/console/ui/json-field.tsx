import { createEffect, createMemo, type JSX } from "solid-js";
import { common } from "../texts/index.ts";
import fields from "./fields.module.css";
import { Field } from "./fields.tsx";

/** What a text says as JSON, or that it says nothing. */
type ParsedJson = { ok: true; value: unknown } | { ok: false; fault: string };

/** Reads JSON; an empty text is undefined. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** A value written as JSON. While it is none, the form it is in is not sent. */
export function JsonField(props: {
  label: string;
  value: string;
  onInput: (text: string) => void;
  hint?: JSX.Element;
  error?: string | undefined;
  labelHidden?: boolean;
  rows?: number;
  required?: boolean;
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

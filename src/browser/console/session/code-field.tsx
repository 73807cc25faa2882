import { createEffect, on } from "solid-js";
import { signIn as t } from "../texts/index.ts";
import { TextField } from "../ui/fields.tsx";

export function CodeField(props: {
  isRecovery?: boolean;
  label?: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  onInput: (code: string) => void;
  /** Focuses the field when it appears and whenever it changes to the other kind of code. */
  autofocus?: boolean;
}) {
  let field: HTMLDivElement | undefined;
  createEffect(
    on(
      () => props.isRecovery,
      () => props.autofocus && field?.querySelector("input")?.focus(),
    ),
  );
  return (
    <div ref={field}>
      <TextField
        code
        label={props.label ?? (props.isRecovery ? t.recoveryCode : t.code)}
        hint={props.hint}
        error={props.error}
        value={props.value}
        onInput={props.onInput}
        inputmode={props.isRecovery ? "text" : "numeric"}
        autocomplete={props.isRecovery ? "off" : "one-time-code"}
        autocapitalize="none"
        spellcheck={false}
        maxlength={32}
        required
      />
    </div>
  );
}

import { createUniqueId, type JSX, Show } from "solid-js";
import { faultSentence } from "./faults.ts";
import styles from "./fields.module.css";
import { createValidity } from "./validity.ts";

export interface Common {
  label: string;
  hint?: JSX.Element;
  error?: string | undefined;
  /** Shows the label only to screen readers, because the field's position explains it. */
  labelHidden?: boolean;
  /** The field's name in the API, by which messages find its label. */
  "data-field"?: string | undefined;
}

type Described = { id: string; "aria-describedby": string | undefined; "aria-invalid": "true" | undefined };

/** A label and its control, with the error or the hint below. */
export function Field(props: Common & { children: (control: Described) => JSX.Element }) {
  const id = createUniqueId();
  const validity = createValidity();
  const error = () => props.error || validity.fault();
  const described = () => (error() || props.hint ? `${id}-more` : undefined);
  return (
    <div class={styles.field} data-field={props["data-field"]} on:invalid={validity.listener}>
      <label for={id} class={props.labelHidden ? "visually-hidden" : styles.label}>
        {props.label}
      </label>
      {props.children({
        id,
        get "aria-describedby"() {
          return described();
        },
        get "aria-invalid"() {
          return error() ? ("true" as const) : undefined;
        },
      })}
      <Show when={error() || props.hint}>
        <More id={`${id}-more`} label={props.label} hint={props.hint} error={error()} />
      </Show>
    </div>
  );
}

/** The line below a field: its error, otherwise its hint. */
export function More(props: Pick<Common, "label" | "hint" | "error"> & { id: string }) {
  return (
    <Show
      when={props.error}
      fallback={
        <div id={props.id} class="quiet">
          {props.hint}
        </div>
      }
    >
      {(error) => (
        <div id={props.id} class={styles.error}>
          {faultSentence(props.label, error())}
        </div>
      )}
    </Show>
  );
}

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
  disabled?: boolean;
}

export type SelectProps<Value extends string = string> = Common & {
  value: Value;
  /** Undefined while they load. */
  options: Option<Value>[] | undefined;
  onInput: (value: Value) => void;
  disabled?: boolean;
};

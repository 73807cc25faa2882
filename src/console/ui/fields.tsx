import { createUniqueId, For, type JSX, Show, splitProps } from "solid-js";
import styles from "./fields.module.css";

interface Common {
  label: string;
  hint?: JSX.Element;
  /** What is wrong with the value. */
  error?: string | undefined;
  /** The label is for those who do not see the field only, as its place says what it is. */
  labelHidden?: boolean;
}

type Described = { id: string; "aria-describedby": string | undefined; "aria-invalid": "true" | undefined };

/** A label, the control, and under it what is wrong or else what to know. */
export function Field(props: Common & { children: (control: Described) => JSX.Element }) {
  const id = createUniqueId();
  const described = () => (props.error || props.hint ? `${id}-more` : undefined);
  return (
    <div class={styles.field}>
      <label for={id} class={props.labelHidden ? "visually-hidden" : styles.label}>
        {props.label}
      </label>
      {props.children({
        id,
        get "aria-describedby"() {
          return described();
        },
        get "aria-invalid"() {
          return props.error ? ("true" as const) : undefined;
        },
      })}
      <Show when={props.error || props.hint}>
        <div id={`${id}-more`} class={props.error ? styles.error : styles.hint}>
          {props.error || props.hint}
        </div>
      </Show>
    </div>
  );
}

const COMMON = ["label", "hint", "error", "labelHidden"] as const;

type Input = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, "onInput" | "value">;

/** One line of text; `onInput` gets the text. */
export function TextField(props: Common & Input & { value: string; onInput: (value: string) => void; code?: boolean }) {
  const [common, own, rest] = splitProps(props, COMMON, ["value", "onInput", "code"]);
  return (
    <Field {...common}>
      {(control) => (
        <input
          type="text"
          {...rest}
          {...control}
          class={`${styles.control} ${own.code ? styles.code : ""}`}
          value={own.value}
          onInput={(event) => own.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A number; `onInput` gets undefined for an empty field. */
export function NumberField(
  props: Common & Input & { value: number | undefined; onInput: (value: number | undefined) => void },
) {
  const [common, own, rest] = splitProps(props, COMMON, ["value", "onInput"]);
  return (
    <Field {...common}>
      {(control) => (
        <input
          type="number"
          step="any"
          {...rest}
          {...control}
          class={styles.control}
          value={own.value ?? ""}
          onInput={({ currentTarget: { value, valueAsNumber } }) =>
            own.onInput(value === "" || Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
          }
        />
      )}
    </Field>
  );
}

type Area = Omit<JSX.TextareaHTMLAttributes<HTMLTextAreaElement>, "onInput" | "value">;

/** Several lines of text. */
export function TextArea(props: Common & Area & { value: string; onInput: (value: string) => void; code?: boolean }) {
  const [common, own, rest] = splitProps(props, COMMON, ["value", "onInput", "code"]);
  return (
    <Field {...common}>
      {(control) => (
        <textarea
          rows={4}
          {...rest}
          {...control}
          class={`${styles.control} ${own.code ? styles.code : ""}`}
          value={own.value}
          onInput={(event) => own.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A choice of a few. */
export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

/** One of a few; for many, use a Combobox. */
export function SelectField(
  props: Common & { value: string; options: Option[]; onChange: (value: string) => void; disabled?: boolean },
) {
  const [common, own] = splitProps(props, COMMON);
  return (
    <Field {...common}>
      {(control) => (
        <select
          {...control}
          class={styles.control}
          disabled={own.disabled}
          onChange={(event) => own.onChange(event.currentTarget.value)}
        >
          <For each={own.options}>
            {(option) => (
              <option value={option.value} selected={option.value === own.value} disabled={option.disabled}>
                {option.label}
              </option>
            )}
          </For>
        </select>
      )}
    </Field>
  );
}

/** On or off. */
export function CheckField(
  props: Omit<Common, "labelHidden"> & { value: boolean; onChange: (value: boolean) => void; disabled?: boolean },
) {
  const id = createUniqueId();
  return (
    <div class={styles.row}>
      <input
        id={id}
        type="checkbox"
        checked={props.value}
        disabled={props.disabled}
        aria-describedby={props.error || props.hint ? `${id}-more` : undefined}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <div class={styles.field}>
        <label for={id}>{props.label}</label>
        <Show when={props.error || props.hint}>
          <div id={`${id}-more`} class={props.error ? styles.error : styles.hint}>
            {props.error || props.hint}
          </div>
        </Show>
      </div>
    </div>
  );
}

/** Fields one under the other, at a width that can be read. */
export function Fields(props: { legend?: string; children: JSX.Element }) {
  return (
    <fieldset class={styles.fields}>
      <Show when={props.legend}>
        <legend class={styles.legend}>{props.legend}</legend>
      </Show>
      {props.children}
    </fieldset>
  );
}

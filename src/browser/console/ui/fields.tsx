import { createMemo, createUniqueId, For, type JSX, lazy, Show, Suspense, splitProps } from "solid-js";
import { common as t } from "../texts/index.ts";
import { faultSentence } from "./faults.ts";
import { type Common, Field, More, type Option, type SelectProps } from "./field.tsx";
import styles from "./fields.module.css";

const COMMON = ["label", "hint", "error", "labelHidden", "data-field"] as const;

type Input = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, "onInput" | "value">;

export function TextField(props: Common & Input & { value: string; onInput: (value: string) => void; code?: boolean }) {
  const [common, own, rest] = splitProps(props, COMMON, ["value", "onInput", "code"]);
  return (
    <Field {...common}>
      {(control) => (
        <input
          type="text"
          dir={own.code ? undefined : "auto"}
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

/** A number. `onInput` gets undefined for an empty field. */
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

export function TextArea(props: Common & Area & { value: string; onInput: (value: string) => void; code?: boolean }) {
  const [common, own, rest] = splitProps(props, COMMON, ["value", "onInput", "code"]);
  return (
    <Field {...common}>
      {(control) => (
        <textarea
          rows={4}
          dir={own.code ? undefined : "auto"}
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

/** With this many options or more, the field has a search. */
const MANY_OPTIONS = 25;
const SearchableSelect = lazy(() => import("./searchable-select.tsx"));

/** A choice of one option, with a search if there are many. */
export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const given = createMemo(() => props.options);
  /** Includes the value if it isn't among the options, because the browser would show the first of them instead. */
  const options = createMemo((): Option<Value>[] => {
    const [listed, { value }] = [given(), props];
    if (listed?.some((option) => option.value === value)) return listed;
    const label = listed === undefined ? "…" : value && t.unlisted(value);
    return [{ value, label }, ...(listed ?? [])];
  });
  const choose = (chosen: string) => {
    const option = options().find(({ value }) => value === chosen);
    if (option) props.onInput(option.value);
  };
  const plain = () => <PlainSelect {...props} options={options()} onInput={choose} />;
  return (
    <Show when={options().length >= MANY_OPTIONS} fallback={plain()}>
      <Suspense fallback={plain()}>
        <SearchableSelect {...props} options={options()} onInput={choose} />
      </Suspense>
    </Show>
  );
}

function PlainSelect(props: SelectProps & { options: Option[] }) {
  const [common, own] = splitProps(props, COMMON);
  return (
    <Field {...common}>
      {(control) => (
        <select
          {...control}
          class={styles.control}
          disabled={own.disabled}
          onChange={(event) => own.onInput(event.currentTarget.value)}
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

export function CheckField(
  props: Omit<Common, "labelHidden"> & {
    value: boolean;
    onInput: (value: boolean) => void;
    disabled?: boolean;
    code?: boolean;
  },
) {
  const id = createUniqueId();
  return (
    <div class={styles.row} data-field={props["data-field"]}>
      <input
        id={id}
        type="checkbox"
        checked={props.value}
        disabled={props.disabled}
        aria-describedby={props.error || props.hint ? `${id}-more` : undefined}
        aria-invalid={props.error ? "true" : undefined}
        onChange={(event) => props.onInput(event.currentTarget.checked)}
      />
      <div class={styles.field}>
        <label for={id}>{props.code ? <code>{props.label}</code> : props.label}</label>
        <Show when={props.error || props.hint}>
          <More id={`${id}-more`} {...props} />
        </Show>
      </div>
    </div>
  );
}

export function GroupFault(props: { label: string; error: string | undefined }) {
  return (
    <Show when={props.error}>
      {(error) => (
        <p class={styles.error} data-fault>
          {faultSentence(props.label, error())}
        </p>
      )}
    </Show>
  );
}

/** Fields below each other, at a readable width. */
export function Fields(props: { legend?: string; error?: string | undefined; children: JSX.Element }) {
  return (
    <fieldset class={styles.fields}>
      <Show when={props.legend}>
        <legend class={styles.legend}>{props.legend}</legend>
      </Show>
      <GroupFault label={props.legend ?? ""} error={props.error} />
      {props.children}
    </fieldset>
  );
}

import { createEffect, createMemo, createSignal, For, Index, Match, on, Switch } from "solid-js";
import { formatName } from "../../texts/format.ts";
import { tools } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Fields, NumberField, SelectField, TextArea, TextField } from "../../ui/fields.tsx";
import { Plus, X } from "../../ui/icons.tsx";
import { formatJson, isObject, parseJson } from "../../ui/json.ts";
import { JsonField } from "../../ui/json-field.tsx";
import { Grid } from "../../ui/layout.tsx";
import { initialValue, readSchema } from "./argument-values.ts";
import styles from "./tools.module.css";

const { run: t } = tools;
/** Maximum length of a text that gets a single line, characters. */
const ONE_LINE = 200;

interface Props {
  label: string;
  schema: unknown;
  isRequired: boolean;
  value: unknown;
  onInput: (value: unknown) => void;
}

/** The field for a value of a schema. Lists and objects contain further fields. */
function ArgumentField(props: Props) {
  const schema = createMemo(() => readSchema(props.schema));
  const label = () => (props.isRequired ? props.label : t.optional(props.label));
  const text = () => (typeof props.value === "string" ? props.value : "");
  const isLong = () => (schema().maxLength ?? 0) > ONE_LINE;
  return (
    <Switch fallback={<JsonArgument {...props} label={label()} />}>
      <Match when={schema().kind === "string" && !isLong()}>
        <TextField
          label={label()}
          hint={schema().description}
          value={text()}
          onInput={props.onInput}
          required={props.isRequired}
          autocomplete="off"
        />
      </Match>
      <Match when={schema().kind === "string"}>
        <TextArea
          label={label()}
          hint={schema().description}
          value={text()}
          onInput={props.onInput}
          required={props.isRequired}
        />
      </Match>
      <Match when={schema().kind === "number"}>
        <NumberField
          label={label()}
          hint={schema().description}
          value={typeof props.value === "number" ? props.value : undefined}
          onInput={props.onInput}
          min={schema().minimum}
          max={schema().maximum}
          step={schema().isWhole ? 1 : "any"}
          required={props.isRequired}
        />
      </Match>
      <Match when={schema().kind === "boolean"}>
        <Choice {...props} label={label()} choices={[true, false]} hint={schema().description} />
      </Match>
      <Match when={schema().kind === "choice"}>
        <Choice {...props} label={label()} choices={schema().choices} hint={schema().description} />
      </Match>
      <Match when={schema().kind === "object"}>
        <fieldset class="stack-8">
          <legend class={styles.legend}>{label()}</legend>
          <div class={styles.nested}>
            <ObjectFields {...props} />
          </div>
        </fieldset>
      </Match>
      <Match when={schema().kind === "array"}>
        <ListFields {...props} label={label()} />
      </Match>
    </Switch>
  );
}

/** Select field for a few choices, or none if the value is optional. */
function Choice(props: Props & { choices: (string | number | boolean)[]; hint: string }) {
  const words = (value: string | number | boolean) =>
    typeof value === "boolean" ? (value ? t.yes : t.no) : String(value);
  return (
    <SelectField
      label={props.label}
      hint={props.hint}
      value={String(props.choices.findIndex((choice) => Object.is(choice, props.value)))}
      options={[
        { value: "-1", label: t.notGiven },
        ...props.choices.map((choice, index) => ({ value: String(index), label: words(choice) })),
      ]}
      onInput={(index) => props.onInput(props.choices[Number(index)])}
    />
  );
}

export function ObjectFields(props: Omit<Props, "label" | "isRequired">) {
  const values = () => (isObject(props.value) ? props.value : {});
  return (
    <Fields>
      <For each={readSchema(props.schema).properties}>
        {({ name, schema, isRequired }) => (
          <ArgumentField
            label={formatName(name)}
            schema={schema}
            isRequired={isRequired}
            value={values()[name]}
            onInput={(value) => props.onInput({ ...values(), [name]: value })}
          />
        )}
      </For>
    </Fields>
  );
}

function ListFields(props: Props) {
  const values = (): unknown[] => (Array.isArray(props.value) ? props.value : []);
  const items = () => readSchema(props.schema).items;
  return (
    <fieldset class="stack-8">
      <legend class={styles.legend}>{props.label}</legend>
      <Index each={values()}>
        {(value, index) => (
          <Grid columns="minmax(0, 1fr) 32px" gap={8} align="end">
            <ArgumentField
              label={t.item(index + 1)}
              schema={items()}
              isRequired
              value={value()}
              onInput={(changed) => props.onInput(values().map((each, other) => (other === index ? changed : each)))}
            />
            <IconButton
              icon={X}
              label={t.remove(index + 1)}
              onClick={() => props.onInput(values().filter((_, other) => other !== index))}
            />
          </Grid>
        )}
      </Index>
      <div>
        <Button small icon={Plus} onClick={() => props.onInput([...values(), initialValue(items(), true)])}>
          {t.add}
        </Button>
      </div>
    </fieldset>
  );
}

/** A value that no form can express, as JSON. */
function JsonArgument(props: Props) {
  const [text, setText] = createSignal(formatJson(props.value));
  // When an item is removed from a list, the next one moves into its place.
  createEffect(
    on(
      () => formatJson(props.value),
      (json) => {
        const parsed = parseJson(text());
        if (!parsed.ok || formatJson(parsed.value) !== json) setText(json);
      },
      { defer: true },
    ),
  );
  return (
    <JsonField
      label={props.label}
      hint={readSchema(props.schema).description}
      value={text()}
      onInput={(json) => {
        setText(json);
        const parsed = parseJson(json);
        if (parsed.ok) props.onInput(parsed.value);
      }}
      required={props.isRequired}
      rows={3}
    />
  );
}

import { createEffect, createMemo, For, on, Show } from "solid-js";
import { createStore, reconcile, unwrap } from "solid-js/store";
import { tools } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { CheckField, SelectField, TextField } from "../../ui/fields.tsx";
import { Plus, X } from "../../ui/icons.tsx";
import { formatJson, isObject, parseJson } from "../../ui/json.ts";
import { Row, Stack } from "../../ui/layout.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { FormOrJson } from "./form-or-json.tsx";
import {
  emptyRow,
  isChoiceOf,
  PARAMETER_TYPES,
  type ParameterRow,
  rowsOf,
  schemaOf,
  takesChoices,
} from "./schema-rows.ts";
import styles from "./tools.module.css";

const { parameters: t } = tools;
const TYPE_OPTIONS = PARAMETER_TYPES.map((value) => ({ value, label: t.types[value] }));
/** The item types that the form supports. */
const ITEM_OPTIONS = TYPE_OPTIONS.filter(({ value }) => value !== "array" && value !== "json");

/** Editor for the schema of a tool's arguments. It edits `json`. */
export function ParametersEditor(props: {
  json: string;
  onInput: (json: string) => void;
  /** Returns the error of a part of the schema, such as `.properties.x`; "" for the whole. */
  error: (path: string) => string | undefined;
}) {
  const rows = createMemo(() => {
    const parsed = parseJson(props.json);
    return parsed.ok ? rowsOf(parsed.value) : undefined;
  });
  return (
    <FormOrJson
      title={t.title}
      lead={t.lead}
      jsonLabel={t.json}
      json={props.json}
      onInput={props.onInput}
      canBeForm={rows() !== undefined}
      error={props.error("")}
    >
      <Rows json={props.json} onInput={props.onInput} error={props.error} />
    </FormOrJson>
  );
}

function Rows(props: { json: string; onInput: (json: string) => void; error: (path: string) => string | undefined }) {
  const read = () => {
    const parsed = parseJson(props.json);
    return rowsOf(parsed.ok ? parsed.value : {}) ?? { rows: [], rest: {} };
  };
  // From here on, the rows are kept separately, because JSON can't contain an incomplete or duplicate name.
  const [state, setState] = createStore(read());
  const shown = () => formatJson(schemaOf(unwrap(state)));
  const write = () => props.onInput(shown());
  // Shows what someone else has saved meanwhile.
  createEffect(
    on(
      () => props.json,
      (json) => json !== shown() && setState(reconcile(read())),
      { defer: true },
    ),
  );
  const change = (index: number, changed: Partial<ParameterRow>) => {
    setState("rows", index, changed);
    write();
  };
  const replaceRest = (index: number, rest: Record<string, unknown>) => {
    setState("rows", index, (row) => ({ ...row, rest: { ...row.rest, ...rest } }));
    write();
  };
  const isTaken = (index: number) => {
    const name = state.rows[index]?.name;
    return name !== "" && state.rows.some((row, other) => other !== index && row.name === name);
  };
  return (
    <Stack gap={12} max={640}>
      <Show when={state.rows.length === 0}>
        <p>{t.none}</p>
      </Show>
      <For each={state.rows}>
        {(row, index) => (
          <fieldset class={styles.row} aria-label={t.number(index() + 1)}>
            <div class={styles.rowHead}>
              <TextField
                label={t.name}
                code
                value={row.name}
                onInput={(name) => change(index(), { name })}
                error={isTaken(index()) ? t.taken : props.error(`.properties.${row.name}`)}
                ref={(input) => createEffect(() => input.setCustomValidity(isTaken(index()) ? t.taken : ""))}
                pattern="[A-Za-z_][\w\-]*"
                title={t.namePattern}
                required
              />
              <SelectField
                label={t.type}
                value={row.type}
                options={TYPE_OPTIONS.filter(({ value }) => value !== "json" || row.type === "json")}
                onInput={(value) => change(index(), ofType(TYPES_BY_NAME.get(value) ?? "string"))}
              />
              <IconButton
                icon={X}
                label={t.remove(row.name)}
                onClick={() => {
                  setState("rows", (rows) => rows.filter((_, other) => other !== index()));
                  write();
                }}
              />
            </div>
            <Show when={row.type === "array"}>
              <SelectField
                label={t.items}
                value={itemTypeOf(row)}
                options={ITEM_OPTIONS}
                onInput={(type) => replaceRest(index(), { items: { ...itemsOf(row), type } })}
              />
            </Show>
            <Show when={row.type !== "json"}>
              <TextField
                label={t.description}
                value={row.description}
                onInput={(description) => change(index(), { description })}
              />
            </Show>
            <Show when={takesChoices(row.type)}>
              <TagsField
                label={t.choices}
                value={row.choices}
                onInput={(choices) => change(index(), { choices: choices.filter(isChoiceOf(row.type)) })}
              />
            </Show>
            <Row gap={[4, 16]} justify="space-between">
              <CheckField
                label={t.required}
                value={row.required}
                onInput={(required) => change(index(), { required })}
              />
              <Show when={keywordsOf(row)}>{(keywords) => <span class="muted">{t.more(keywords())}</span>}</Show>
            </Row>
          </fieldset>
        )}
      </For>
      <div>
        <Button
          icon={Plus}
          onClick={() => {
            setState("rows", state.rows.length, emptyRow());
            write();
          }}
        >
          {t.add}
        </Button>
      </div>
    </Stack>
  );
}

/** Returns a row reset for another type, because keywords belong to a type. */
const ofType = (type: ParameterRow["type"]): Partial<ParameterRow> => ({
  type,
  choices: [],
  rest: type === "array" ? { items: { type: "string" } } : {},
});

const TYPES_BY_NAME = new Map<string, ParameterRow["type"]>(PARAMETER_TYPES.map((type) => [type, type]));

const itemsOf = ({ rest }: ParameterRow): Record<string, unknown> => (isObject(rest.items) ? rest.items : {});

const itemTypeOf = (row: ParameterRow): string => {
  const { type } = itemsOf(row);
  return typeof type === "string" ? type : "string";
};

/** Returns the names of the keywords that the row doesn't show. */
function keywordsOf(row: ParameterRow): string {
  return Object.keys(row.rest)
    .filter((keyword) => keyword !== "items" || Object.keys(itemsOf(row)).length > 1)
    .join(", ");
}

import { createEffect, createMemo, createUniqueId, For, Match, on, Show, Switch } from "solid-js";
import { createStore, reconcile, unwrap } from "solid-js/store";
import { fieldsOf } from "../../api/integration-fields.ts";
import { integrationList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { tools } from "../../texts/index.ts";
import { Fields, NumberField, SelectField, TextField } from "../../ui/fields.tsx";
import { formatJson, parseJson } from "../../ui/json.ts";
import { JsonField } from "../../ui/json-field.tsx";
import { FormOrJson } from "./form-or-json.tsx";
import { PairsEditor } from "./pairs-editor.tsx";
import { AUTHS, BODIES, configOf, METHODS, type RequestFields, requestOf } from "./request-fields.ts";
import styles from "./tools.module.css";

const { request: t } = tools;

export function RequestEditor(props: {
  json: string;
  onInput: (json: string) => void;
  parameters: string[];
  /** Returns the error of a part of the request, such as `.url`; "" for the whole. */
  error: (path: string) => string | undefined;
}) {
  const fields = createMemo(() => {
    const parsed = parseJson(props.json);
    return parsed.ok ? requestOf(parsed.value) : undefined;
  });
  return (
    <FormOrJson
      title={t.title}
      lead={t.lead}
      jsonLabel={t.json}
      json={props.json}
      onInput={props.onInput}
      canBeForm={fields() !== undefined}
      error={props.error("")}
    >
      <Show when={fields()}>
        {(found) => (
          <RequestForm
            json={props.json}
            stored={found()}
            onInput={props.onInput}
            parameters={props.parameters}
            error={props.error}
          />
        )}
      </Show>
    </FormOrJson>
  );
}

function RequestForm(props: {
  json: string;
  stored: RequestFields;
  onInput: (json: string) => void;
  parameters: string[];
  error: (path: string) => string | undefined;
}) {
  const [fields, setFields] = createStore(structuredClone(props.stored));
  const shown = () => formatJson(configOf(unwrap(fields)));
  // Shows what someone else has saved meanwhile.
  createEffect(
    on(
      () => props.json,
      (json) => json !== shown() && setFields(reconcile(structuredClone(props.stored))),
      { defer: true },
    ),
  );
  const references = createUniqueId();
  const change = (changed: Partial<RequestFields>) => {
    setFields(changed);
    props.onInput(shown());
  };
  const secret = (name: keyof RequestFields["credentials"], label: string) => (
    <TextField
      label={label}
      hint={name === "token" || name === "password" || name === "value" ? t.secretHint : undefined}
      value={fields.credentials[name]}
      onInput={(value) => change({ credentials: { ...fields.credentials, [name]: value } })}
      error={props.error(`.auth.${name}`)}
      list={references}
      autocomplete="off"
      code
      required
    />
  );
  return (
    <Fields>
      <References id={references} parameters={props.parameters} />
      <div class={styles.address}>
        <SelectField
          label={t.method}
          value={fields.method}
          options={METHODS.map((value) => ({ value, label: value }))}
          onInput={(value) => change({ method: METHODS.find((each) => each === value) ?? "GET" })}
          error={props.error(".method")}
        />
        <TextField
          label={t.url}
          code
          placeholder="https://api.example.com/orders/{order_id}"
          value={fields.url}
          onInput={(url) => change({ url })}
          error={props.error(".url")}
          list={references}
          required
        />
      </div>
      <SelectField
        label={t.auth}
        value={fields.auth}
        options={AUTHS.map((value) => ({ value, label: t.auths[value] }))}
        onInput={(value) => change({ auth: AUTHS.find((each) => each === value) ?? "none" })}
        error={props.error(".auth")}
      />
      <Switch>
        <Match when={fields.auth === "bearer"}>{secret("token", t.token)}</Match>
        <Match when={fields.auth === "basic"}>
          {secret("username", t.username)}
          {secret("password", t.password)}
        </Match>
        <Match when={fields.auth === "header"}>
          {secret("name", t.headerName)}
          {secret("value", t.headerValue)}
        </Match>
      </Switch>
      <PairsEditor
        legend={t.headers}
        add={t.addPair.headers}
        pairs={fields.headers}
        onChange={(pairs) => change({ headers: pairs })}
        error={(path) => props.error(`.headers${path}`)}
        list={references}
      />
      <PairsEditor
        legend={t.query}
        add={t.addPair.query}
        pairs={fields.query}
        onChange={(pairs) => change({ query: pairs })}
        error={(path) => props.error(`.query${path}`)}
        list={references}
      />
      <Show when={fields.method !== "GET" || fields.bodyKind !== "none"}>
        <SelectField
          label={t.body}
          value={fields.bodyKind}
          options={BODIES.map((value) => ({ value, label: t.bodies[value] }))}
          onInput={(value) => change({ bodyKind: BODIES.find((each) => each === value) ?? "none" })}
        />
      </Show>
      <Show when={fields.bodyKind === "json"}>
        <JsonField
          label={t.bodyJson}
          hint={t.bodyHint}
          rows={8}
          value={fields.body}
          onInput={(body) => change({ body })}
          error={props.error(".body")}
          required
        />
      </Show>
      <Show when={fields.bodyKind === "form"}>
        <PairsEditor
          legend={t.form}
          add={t.addPair.form}
          pairs={fields.form}
          onChange={(pairs) => change({ form: pairs })}
          error={(path) => props.error(`.form${path}`)}
          list={references}
        />
      </Show>
      <NumberField
        label={t.timeout}
        hint={t.timeoutHint}
        value={fields.timeout_ms}
        onInput={(value) => change({ timeout_ms: value })}
        error={props.error(".timeout_ms")}
        min={1}
        max={10_000}
        step={1}
      />
      <TextField
        label={t.path}
        hint={t.pathHint}
        code
        value={fields.path}
        onInput={(path) => change({ path })}
        error={props.error(".response.path")}
      />
      <NumberField
        label={t.maxChars}
        hint={t.maxCharsHint}
        value={fields.max_chars}
        onInput={(value) => change({ max_chars: value })}
        error={props.error(".response.max_chars")}
        min={1}
        max={100_000}
        step={1}
      />
    </Fields>
  );
}

/** Names suggested while typing: parameters and stored values of integrations. */
function References(props: { id: string; parameters: string[] }) {
  const integrations = useQuery(integrationList);
  const stored = () =>
    (integrations.data?.integrations ?? []).flatMap((integration) =>
      fieldsOf(integration).map((field) => ({
        value: `{{${integration.name}.${field.name}}}`,
        label: `${integration.display_name}: ${field.label}`,
      })),
    );
  return (
    <datalist id={props.id}>
      <For each={props.parameters}>{(name) => <option value={`{${name}}`} />}</For>
      <For each={stored()}>{({ value, label }) => <option value={value}>{label}</option>}</For>
    </datalist>
  );
}

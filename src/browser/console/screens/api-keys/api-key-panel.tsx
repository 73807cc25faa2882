import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { apiKeyList, widgetKeyList } from "../../api/lists.ts";
import { invalidate } from "../../api/queries.ts";
import { storedBy, useQuery } from "../../api/use-query.ts";
import { common, apiKeys as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { changesOf } from "../../ui/changes.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Note } from "../../ui/feedback.tsx";
import { CheckField, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { KeyActions } from "../../ui/key-actions.tsx";
import { optionsOf } from "../../ui/options.ts";
import { Section, SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { fromList, ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { SecretOnce } from "../../ui/secret-once.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import { Facts, Time } from "../../ui/values.tsx";
import { FirstLines } from "./first-lines.tsx";
import { enteredLimits, LimitFields, type Limits, limitsOf } from "./limits.tsx";
import { State } from "./state.tsx";

const apiKeyById = fromList(apiKeyList, (keys, id) => keys.find((key) => key.id === id));

export default function ApiKeyPanel() {
  return (
    <ResourcePanel
      query={apiKeyById}
      one={t.key}
      title={({ name }) => name}
      lead={(key) => <State of={key()} />}
      closeTo="/api-keys"
      actions={(key) => <Actions apiKey={key()} />}
    >
      {(key) => <Details apiKey={key()} />}
    </ResourcePanel>
  );
}

type OfWidgetKeys = "keep" | "disable";

async function patch(id: string, body: Body<"UpdateApiKeyRequest">, widget_keys: OfWidgetKeys = "keep"): Promise<void> {
  await data(api.PATCH("/api/v1/api-keys/{id}", { params: { path: { id }, query: { widget_keys } }, body }));
  await invalidate("api-keys", "widget-keys");
  notify(common.saved);
}

function Actions(props: { apiKey: Body<"ApiKey"> }) {
  const confirmDelete = useDelete("/api-keys", "api-keys", "widget-keys");
  const { id } = props.apiKey;
  const widgetKeys = useQuery(widgetKeyList);
  /** The number of widget keys that it created; undefined until they are loaded. */
  const made = () =>
    widgetKeys.data?.filter(({ created_by, disabled_at }) => created_by === id && disabled_at === null).length;
  const [withMade, setWithMade] = createSignal(false);
  const ofWidgetKeys = (): OfWidgetKeys => (withMade() ? "disable" : "keep");
  /** The consequences, and a checkbox to also disable the widget keys that the key created. */
  const asking = (what: string) => (
    <div class="stack-12">
      <p>{what}</p>
      <Show when={made() !== 0}>
        <CheckField label={t.made.also} hint={t.made.hint(made())} value={withMade()} onInput={setWithMade} />
      </Show>
    </div>
  );
  const remove = () =>
    confirmDelete({ title: t.deleteTitle(props.apiKey.name), body: asking(t.deleteBody) }, () =>
      api.DELETE("/api/v1/api-keys/{id}", { params: { path: { id }, query: { widget_keys: ofWidgetKeys() } } }),
    );
  return (
    <KeyActions
      needs={{ disable: "updateApiKey", remove: "deleteApiKey" }}
      texts={Object.assign({}, t, { disableBody: asking(t.disableBody) })}
      of={props.apiKey}
      setDisabled={(disabled) => patch(id, { disabled }, disabled ? ofWidgetKeys() : "keep")}
      remove={remove}
    />
  );
}

function Details(props: { apiKey: Body<"ApiKey"> }) {
  const form = createForm({
    initial: valuesOf(props.apiKey),
    stored: storedBy(props.apiKey, apiKeyById(props.apiKey.id), valuesOf),
    save: ({ name, ...limits }, { name: nameBefore, ...limitsBefore }) =>
      patch(props.apiKey.id, changesOf({ name: nameBefore, ...limitsOf(limitsBefore) }, { name, ...limitsOf(limits) })),
  });
  return (
    <>
      <Facts
        of={[
          [t.fields.key, () => <code>…{props.apiKey.last8}</code>],
          [t.fields.created, () => <Time at={props.apiKey.created_at} />],
          [t.fields.used, () => <Time at={props.apiKey.last_used_at} />],
          [
            t.fields.expires,
            () => (
              <Show when={props.apiKey.expires_at} fallback={t.never}>
                {(at) => <Time at={at()} />}
              </Show>
            ),
          ],
        ]}
      />
      <FieldsForm needs="updateApiKey" form={form} verb={common.save} kind="plain" disabled={!form.dirty()}>
        <TextField label={t.fields.name} {...form.field("name")} required />
        <LimitFields form={form} />
      </FieldsForm>
      <Show when={!props.apiKey.scopes_named}>
        <Section title={t.assistants}>
          <Note>{t.notNamed}</Note>
          <Button
            needs="updateApiKey"
            disabled={form.dirty()}
            onClick={() => patch(props.apiKey.id, { scopes_named: true }).catch(notifyFailure)}
          >
            {t.nameScopes}
          </Button>
        </Section>
      </Show>
    </>
  );
}

const valuesOf = (key: Body<"ApiKey">) => Object.assign({ name: key.name }, enteredLimits(key));

const NO_LIMITS: Limits = {
  scopes: ["read"],
  agent_ids: null,
  allowed_addresses: "",
  unattended: false,
};

export function NewApiKey() {
  const [created, setCreated] = createSignal<Body<"CreatedApiKey">>();
  const form = createForm({
    initial: Object.assign({ name: "", expiry: "" }, NO_LIMITS),
    save: async ({ name, expiry, ...limits }) => {
      const body: Body<"CreateApiKeyRequest"> = Object.assign({ name }, limitsOf(limits));
      if (expiry !== "") body.expiry = expiry;
      setCreated(await data(api.POST("/api/v1/api-keys", { body })));
      await invalidate("api-keys");
    },
  });
  const fields = () => (
    <FieldsForm needs="createApiKey" form={form} verb={t.create}>
      <TextField label={t.fields.name} hint={t.nameHint} {...form.field("name")} required />
      <SelectField label={t.expiry} {...form.field("expiry")} options={optionsOf<string>(t.expiries)} />
      <LimitFields form={form} />
    </FieldsForm>
  );
  return (
    <SidePanel title={created()?.name ?? t.add} closeTo="/api-keys">
      <Show when={created()?.key} fallback={fields()}>
        {(key) => (
          <>
            <SecretOnce label={t.key} secret={key()} />
            <Section title={t.tryIt}>
              <CodeBlock
                label={t.tryIt}
                code={`curl -H 'Authorization: Bearer ${key()}' \\\n  ${location.origin}/api/v1/agents`}
              />
            </Section>
            <FirstLines />
          </>
        )}
      </Show>
    </SidePanel>
  );
}

import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { widgetKeyList, widgetPolicy } from "../../api/lists.ts";
import { holds, may } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { storedBy, useQuery } from "../../api/use-query.ts";
import { common, widgetKeys as t } from "../../texts/index.ts";
import { changesOf } from "../../ui/changes.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { EmbedCode, embedCode } from "../../ui/embed-code.tsx";
import { Note } from "../../ui/feedback.tsx";
import { NumberField, SelectField, TextArea, TextField } from "../../ui/fields.tsx";
import { createForm, type Form } from "../../ui/form.ts";
import { OutOfService } from "../../ui/in-service.tsx";
import { KeyActions } from "../../ui/key-actions.tsx";
import { choicesOf, useAgents } from "../../ui/named.tsx";
import { Section, SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { fromList, ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { notify } from "../../ui/toast.tsx";
import { useAuthors } from "../../ui/use-authors.ts";
import { Facts, Time } from "../../ui/values.tsx";
import { type Who, WhoField } from "../../ui/who-field.tsx";
import { type CreatedWidgetKey, State, type WidgetKey } from "./state.tsx";

interface Values {
  name: string;
  agent_id: string;
  /** One origin per line. */
  origins: string;
}

const widgetKeyById = fromList(widgetKeyList, (keys, id) => keys.find((key) => key.id === id));

export default function WidgetKeyPanel() {
  return (
    <ResourcePanel
      query={widgetKeyById}
      one={t.key}
      title={({ name }) => name}
      lead={(key) => <State of={key()} />}
      closeTo="/widget-keys"
      actions={(key) => <Actions widgetKey={key()} />}
    >
      {(key) => <Details widgetKey={key()} />}
    </ResourcePanel>
  );
}

async function patch(id: string, body: Body<"UpdateWidgetKeyRequest">): Promise<void> {
  await data(api.PATCH("/api/v1/widget-keys/{id}", { params: { path: { id } }, body }));
  await invalidate("widget-keys");
  notify(common.saved);
}

function Actions(props: { widgetKey: WidgetKey }) {
  const confirmDelete = useDelete("/widget-keys", "widget-keys");
  const { id } = props.widgetKey;
  const remove = () =>
    confirmDelete({ title: t.deleteTitle(props.widgetKey.name), body: t.deleteBody }, () =>
      api.DELETE("/api/v1/widget-keys/{id}", { params: { path: { id } } }),
    );
  return (
    <KeyActions
      needs={{ disable: "updateWidgetKey", remove: "deleteWidgetKey" }}
      texts={t}
      of={props.widgetKey}
      setDisabled={(disabled) => patch(id, { disabled })}
      remove={remove}
    />
  );
}

function Details(props: { widgetKey: WidgetKey }) {
  const { id } = props.widgetKey;
  const form = createForm<Values>({
    initial: valuesOf(props.widgetKey),
    stored: storedBy(props.widgetKey, widgetKeyById(id), valuesOf),
    save: (values, before) => patch(id, changesOf(sent(before), sent(values))),
  });
  const byWhom = useAuthors();
  return (
    <>
      <Facts
        of={[
          [t.fields.key, () => <code>…{props.widgetKey.last8}</code>],
          [
            t.fields.created,
            () => (
              <>
                <Time at={props.widgetKey.created_at} />{" "}
                <Show when={props.widgetKey.created_by}>{(id) => <>{byWhom(id())}</>}</Show>
              </>
            ),
          ],
          [t.fields.used, () => <Time at={props.widgetKey.last_used_at} />],
        ]}
      />
      <Show when={props.widgetKey.domain_allowlist.length === 0}>
        <Note tone="warn">{t.noOrigins}</Note>
      </Show>
      <Show when={props.widgetKey.disabled_at === null && props.widgetKey.domain_allowlist.length > 0}>
        <OutOfService agentId={props.widgetKey.agent_id} in_service={props.widgetKey.in_service} channel="widget" />
      </Show>
      <FieldsForm needs="updateWidgetKey" form={form} verb={common.save} disabled={!form.dirty()}>
        <WidgetKeyFields form={form} />
      </FieldsForm>
      <Limits widgetKey={props.widgetKey} />
      <Show when={may("revealWidgetKey")}>
        <Section title={t.embed}>
          <p class="muted">{t.embedHint}</p>
          <EmbedCode keyId={id} />
        </Section>
      </Show>
    </>
  );
}

/** The limits for visitors who use the key. An empty field removes a limit. */
function Limits(props: { widgetKey: WidgetKey }) {
  const { id, limits } = props.widgetKey;
  const names = Object.keys(t.limits.fields) as (keyof typeof limits)[];
  const form = createForm({
    initial: limits,
    stored: storedBy(props.widgetKey, widgetKeyById(id), (key) => key.limits),
    // Sends only changes, so that a limit that someone else removed doesn't block the others.
    save: (values, before) => patch(id, { limits: changesOf(before, values) }),
  });
  return (
    <Section title={t.limits.title}>
      <p class="muted">
        {t.limits.lead}
        <Show when={may("updateWidgetKey")}> {holds("manage") ? t.limits.lifted : t.limits.raisedByOthers}</Show>
      </p>
      <FieldsForm needs="updateWidgetKey" form={form} verb={t.limits.save} disabled={!form.dirty()}>
        <For each={names}>
          {(name) => (
            <NumberField
              label={t.limits.fields[name]}
              hint={t.limits.hints[name]}
              value={form.values[name] ?? undefined}
              error={form.error(name)}
              onInput={(value) => form.set(name, value ?? null)}
              min={1}
              step={1}
              placeholder={t.limits.none}
            />
          )}
        </For>
      </FieldsForm>
    </Section>
  );
}

/** Creates a key, shows its embed code and asks who may chat with its agent. */
export function NewWidgetKey() {
  const [created, setCreated] = createSignal<CreatedWidgetKey>();
  /** The answer to who may chat, and the agent that it is for. */
  const [answer, setAnswer] = createSignal<{ agent: string; who: Who }>();
  const form = createForm<Values>({
    initial: { name: "", agent_id: "", origins: "" },
    save: async (values) => {
      setCreated(await data(api.POST("/api/v1/widget-keys", { body: sent(values) })));
      await Promise.all([saveWho(), invalidate("widget-keys")]);
    },
  });
  const policy = useQuery(() =>
    // Only for users who may change it.
    Object.assign(widgetPolicy(form.values.agent_id), {
      enabled: form.values.agent_id !== "" && may("updateAgentWidgetSettings"),
    }),
  );
  const who = (): Who | undefined => {
    const given = answer();
    return given?.agent === form.values.agent_id ? given.who : policy.data?.who;
  };
  /** The key exists already, so a failure here doesn't fail the form. */
  const saveWho = async (): Promise<void> => {
    const [id, chosen] = [form.values.agent_id, who()];
    if (!may("updateAgentWidgetSettings") || !chosen || chosen === policy.data?.who) return;
    try {
      const params = { path: { id } };
      await data(api.PATCH("/api/v1/agents/{id}/widget-settings", { params, body: { who: chosen } }));
      await invalidate("agents");
    } catch {
      notify(t.whoNotSaved, "bad");
    }
  };
  const fields = () => (
    <FieldsForm needs="createWidgetKey" form={form} verb={t.create}>
      <WidgetKeyFields form={form} />
      <Show when={form.values.agent_id !== "" && may("updateAgentWidgetSettings") && who()}>
        {(value) => <WhoField value={value()} onInput={(who) => setAnswer({ agent: form.values.agent_id, who })} />}
      </Show>
    </FieldsForm>
  );
  return (
    <SidePanel title={created()?.name ?? t.add} closeTo="/widget-keys">
      <Show when={created()?.key} fallback={fields()}>
        {(key) => (
          <Section title={t.embed}>
            <p class="muted">{t.embedHint}</p>
            <CodeBlock label={t.embed} code={embedCode(key())} />
            <a href="/docs/widget" rel="external">
              {t.guide}
            </a>
          </Section>
        )}
      </Show>
    </SidePanel>
  );
}

function WidgetKeyFields(props: { form: Form<Values> }) {
  const agents = useAgents();
  const { values, set, error, field } = props.form;
  return (
    <>
      <TextField label={t.fields.name} hint={t.nameHint} {...field("name")} required />
      <SelectField
        label={t.fields.agent}
        hint={t.agentHint}
        {...field("agent_id")}
        options={choicesOf(agents, t.noAgent)}
      />
      <TextArea
        label={t.fields.origins}
        hint={t.originsHint}
        code
        rows={4}
        placeholder={"https://shop.example"}
        value={values.origins}
        onInput={(origins) => set("origins", origins)}
        error={error("domain_allowlist")}
      />
    </>
  );
}

const valuesOf = ({ name, agent_id, domain_allowlist }: WidgetKey): Values => ({
  name,
  agent_id: agent_id ?? "",
  origins: domain_allowlist.join("\n"),
});

const sent = ({ name, agent_id, origins }: Values) => ({
  name,
  agent_id: agent_id || null,
  domain_allowlist: origins
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
});

import { useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { widgetKeyList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { common, widgetKeys as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { EmbedCode } from "../../ui/embed-code.tsx";
import { Failure, Loaded, Note, NotFound } from "../../ui/feedback.tsx";
import { Fields } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { ById, Section, SidePanel } from "../../ui/page.tsx";
import { tell, tellFailure } from "../../ui/toast.tsx";
import { Badge } from "../../ui/values.tsx";
import { keysChanged, type WidgetKey } from "./queries.ts";
import { originsOf, WidgetKeyFields, type WidgetKeyValues } from "./widget-key-fields.tsx";

/** One widget key: whom it leads to, from where, and the line for the page. */
export default function WidgetKeyPanel() {
  return <ById>{(id) => <KeyById id={id} />}</ById>;
}

function KeyById(props: { id: string }) {
  const keys = useQuery(widgetKeyList);
  const missing = () => (
    <SidePanel title={t.key} closeTo="/widget-keys">
      <NotFound />
    </SidePanel>
  );
  return (
    <Loaded query={keys}>
      {(found) => (
        <Show when={found().find(({ id }) => id === props.id)} fallback={missing()}>
          {(key) => <Key widgetKey={key()} />}
        </Show>
      )}
    </Loaded>
  );
}

function Key(props: { widgetKey: WidgetKey }) {
  const navigate = useNavigate();
  const path = { id: props.widgetKey.id };
  const name = () => props.widgetKey.name;
  const isDisabled = () => props.widgetKey.disabled_at !== null;
  const patch = async (body: Body<"UpdateWidgetKeyRequest">) => {
    await data(api.PATCH("/api/v1/widget-keys/{id}", { params: { path }, body }));
    await keysChanged();
    tell(common.saved);
  };
  const form = createForm<WidgetKeyValues>({
    initial: {
      name: props.widgetKey.name,
      agent_id: props.widgetKey.agent_id ?? "",
      origins: props.widgetKey.domain_allowlist.join("\n"),
    },
    save: ({ name, agent_id, origins }, before) =>
      patch({
        ...(name !== before.name && { name }),
        ...(agent_id !== before.agent_id && { agent_id }),
        ...(origins !== before.origins && { domain_allowlist: originsOf(origins) }),
      }),
  });

  const disable = () => {
    const question = { title: t.disableTitle(name()), body: t.disableBody, verb: t.disable, danger: true };
    return confirmed(question, () => patch({ disabled: true }));
  };
  const remove = () => {
    const question = { title: t.deleteTitle(name()), body: t.deleteBody, verb: common.delete, danger: true };
    return confirmed(question, async () => {
      await data(api.DELETE("/api/v1/widget-keys/{id}", { params: { path } }));
      form.reset();
      navigate("/widget-keys");
      await keysChanged();
    });
  };

  return (
    <SidePanel
      title={name()}
      lead={<Badge tone={isDisabled() ? "idle" : "ok"}>{isDisabled() ? t.states.disabled : t.states.active}</Badge>}
      closeTo="/widget-keys"
      actions={
        <>
          <Show when={isDisabled()} fallback={<Button onClick={() => void disable()}>{t.disable}</Button>}>
            <Button onClick={() => void patch({ disabled: false }).catch(tellFailure)}>{t.enable}</Button>
          </Show>
          <Button kind="danger" onClick={() => void remove()}>
            {common.delete}
          </Button>
        </>
      }
    >
      <Show when={props.widgetKey.domain_allowlist.length === 0}>
        <Note tone="warn">{t.noOrigins}</Note>
      </Show>
      <form onSubmit={(event) => void form.submit(event)}>
        <Fields>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <WidgetKeyFields form={form} />
          <div>
            <Button kind="primary" type="submit" busy={form.busy()} disabled={!form.dirty()}>
              {common.save}
            </Button>
          </div>
        </Fields>
      </form>
      <Section title={t.embed}>
        <p class="muted">{t.embedHint}</p>
        <EmbedCode keyId={props.widgetKey.id} />
      </Section>
    </SidePanel>
  );
}

import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { webhooks as t } from "../../texts/index.ts";
import { createForm } from "../../ui/form.ts";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { webhooksChanged } from "./queries.ts";
import { Guide, NewSecret } from "./secret.tsx";
import { sent, type Values, WebhookFields } from "./webhook-fields.tsx";

export default function NewWebhook() {
  const [created, setCreated] = createSignal<Body<"CreatedWebhook">>();
  const form = createForm<Values>({
    initial: { url: "", description: "", types: [], agent_ids: null },
    save: async (values) => {
      setCreated(await data(api.POST("/api/v1/webhooks", { body: sent(values) })));
      await webhooksChanged();
    },
  });
  return (
    <SidePanel title={created()?.url ?? t.add} lead={<Guide />} closeTo="/webhooks">
      <Show
        when={created()?.secret}
        fallback={
          <FieldsForm needs="createWebhook" form={form} verb={t.create}>
            <WebhookFields form={form} urlHint={t.form.urlHint} />
          </FieldsForm>
        }
      >
        {(secret) => <NewSecret secret={secret()} />}
      </Show>
    </SidePanel>
  );
}

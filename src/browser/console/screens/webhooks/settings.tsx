import { Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { storedBy } from "../../api/use-query.ts";
import { common, webhooks as t } from "../../texts/index.ts";
import { changesOf } from "../../ui/changes.ts";
import { Note } from "../../ui/feedback.tsx";
import { createForm } from "../../ui/form.ts";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { notify } from "../../ui/toast.tsx";
import { type Webhook, webhookById, webhooksChanged } from "./queries.ts";
import { sent, type Values, WebhookFields } from "./webhook-fields.tsx";

export function Settings(props: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const form = createForm<Values>({
    initial: valuesOf(props.webhook),
    stored: storedBy(props.webhook, webhookById(props.webhook.id), valuesOf),
    save: async (values, before, headers) => {
      const params = { path: { id: props.webhook.id } };
      const body = changesOf(sent(before), sent(values));
      const saved = await data(api.PATCH("/api/v1/webhooks/{id}", { params, body, headers }));
      if (saved.secret !== null) props.onSecret(saved.secret);
      await webhooksChanged();
      notify(common.saved);
      return saved;
    },
  });
  return (
    <FieldsForm needs="updateWebhook" form={form} verb={common.save} disabled={!form.dirty()}>
      <WebhookFields form={form} urlHint={t.form.urlHint} />
      <Show when={form.values.url !== props.webhook.url}>
        <Note tone="warn">{t.otherAddress}</Note>
      </Show>
    </FieldsForm>
  );
}

const valuesOf = ({ url, types, agent_ids, description }: Webhook): Values => ({
  url,
  types,
  agent_ids,
  description: description ?? "",
});

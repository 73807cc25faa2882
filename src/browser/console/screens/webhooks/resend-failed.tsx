import { api, data } from "../../api/client.ts";
import { webhooks as t } from "../../texts/index.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { optionsOf } from "../../ui/options.ts";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { notify } from "../../ui/toast.tsx";
import { webhooksChanged } from "./queries.ts";

const HOUR_MS = 3_600_000;

/** Asks for a period and resends everything that failed in it. */
export function ResendFailed(props: { id: string; onClose: () => void }) {
  const form = createForm({
    initial: { hours: "24" },
    save: async ({ hours }) => {
      const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
      const params = { path: { id: props.id } };
      const { deliveries } = await data(api.POST("/api/v1/webhooks/{id}/resend", { params, body: { since } }));
      await webhooksChanged();
      notify(t.resent(deliveries));
      props.onClose();
    },
  });
  return (
    <Dialog title={t.resendAllTitle} onClose={props.onClose}>
      <p class="muted">{t.resendAllLead}</p>
      <FieldsForm needs="resendFailedWebhookDeliveries" form={form} verb={t.resendVerb}>
        <SelectField label={t.resendSince} {...form.field("hours")} options={optionsOf<string>(t.spans)} />
      </FieldsForm>
    </Dialog>
  );
}

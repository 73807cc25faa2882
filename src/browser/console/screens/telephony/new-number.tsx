import { A, useNavigate } from "@solidjs/router";
import { api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { carriers, numbers as t } from "../../texts/index.ts";
import { CheckField, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { choicesOf, useAgents } from "../../ui/named.tsx";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { carrierList } from "./queries.ts";

const SANDBOX = "";

export default function NewNumber() {
  const navigate = useNavigate();
  const agents = useAgents();
  const stored = useQuery(carrierList);
  const form = createForm({
    initial: { credentials_id: SANDBOX, e164: "", agent_id: "", inbound_enabled: true, outbound_enabled: true },
    save: async ({ credentials_id, ...others }) => {
      const line = credentials_id === SANDBOX ? { provider: "sandbox" as const } : { credentials_id };
      const body = { ...others, ...line };
      const { id } = await data(api.POST("/api/v1/telephony/numbers", { body }));
      form.reset();
      await invalidate("numbers");
      navigate(`/numbers/${id}`);
    },
  });
  const lines = () => [
    { value: SANDBOX, label: t.form.sandbox },
    ...(stored.data?.providers ?? [])
      .filter(({ provider }) => provider !== "sandbox")
      .map(({ id, label, provider }) => ({ value: id, label: `${label} (${carriers.names[provider]})` })),
  ];
  return (
    <SidePanel title={t.add} lead={t.form.lead} closeTo="/numbers">
      <FieldsForm needs="createPhoneNumber" form={form} verb={t.form.submit}>
        <SelectField
          label={t.form.line}
          hint={
            <>
              {t.form.lineHint} <A href="/carriers/new">{t.form.addCarrier}</A>
            </>
          }
          {...form.field("credentials_id")}
          options={lines()}
        />
        <TextField type="tel" label={t.form.e164} hint={t.form.e164Hint} {...form.field("e164")} required />
        <SelectField label={t.form.agent} {...form.field("agent_id")} options={choicesOf(agents, t.noMoreNumbers)} />
        <CheckField label={t.form.inbound} {...form.field("inbound_enabled")} />
        <CheckField label={t.form.outbound} {...form.field("outbound_enabled")} />
      </FieldsForm>
    </SidePanel>
  );
}

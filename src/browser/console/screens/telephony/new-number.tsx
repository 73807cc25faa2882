import { A, useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { carriers, numbers as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { asDialled } from "../../ui/dialled.ts";
import { Failure } from "../../ui/feedback.tsx";
import { CheckField, Fields, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { choicesOf, useAgents } from "../../ui/named.tsx";
import { SidePanel } from "../../ui/page.tsx";
import { carrierList, numbersChanged } from "./queries.ts";

/** The choice of the carrier that needs no credentials. */
const SANDBOX = "";

/** The form that registers a number. */
export default function NewNumber() {
  const navigate = useNavigate();
  const agents = useAgents();
  const stored = useQuery(carrierList);
  const form = createForm({
    initial: { credentials_id: SANDBOX, e164: "", agent_id: "", inbound_enabled: true, outbound_enabled: true },
    save: async ({ credentials_id, e164, ...others }) => {
      const line = credentials_id === SANDBOX ? { provider: "sandbox" as const } : { credentials_id };
      const body = { ...others, ...line, e164: asDialled(e164) };
      const { id } = await data(api.POST("/api/v1/telephony/numbers", { body }));
      form.reset();
      await numbersChanged();
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
      <form onSubmit={form.submit}>
        <Fields>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <SelectField
            label={t.form.line}
            hint={
              <>
                {t.form.lineHint} <A href="/carriers/new">{t.form.addCarrier}</A>
              </>
            }
            value={form.values.credentials_id}
            options={lines()}
            onChange={(id) => form.set("credentials_id", id)}
            error={form.error("credentials_id")}
          />
          <TextField
            type="tel"
            label={t.form.e164}
            hint={t.form.e164Hint}
            value={form.values.e164}
            onInput={(number) => form.set("e164", number)}
            error={form.error("e164")}
            required
          />
          <SelectField
            label={t.form.agent}
            value={form.values.agent_id}
            options={choicesOf(agents, t.nobodyMore)}
            onChange={(id) => form.set("agent_id", id)}
            error={form.error("agent_id")}
          />
          <CheckField
            label={t.form.inbound}
            value={form.values.inbound_enabled}
            onChange={(value) => form.set("inbound_enabled", value)}
          />
          <CheckField
            label={t.form.outbound}
            value={form.values.outbound_enabled}
            onChange={(value) => form.set("outbound_enabled", value)}
          />
          <div>
            <Button kind="primary" type="submit" busy={form.busy()}>
              {t.form.submit}
            </Button>
          </div>
        </Fields>
      </form>
    </SidePanel>
  );
}

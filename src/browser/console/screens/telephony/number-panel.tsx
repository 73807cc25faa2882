import { A } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { storedBy } from "../../api/use-query.ts";
import { carriers, numbers as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Fields, SelectField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { PhoneOutgoing, Trash } from "../../ui/icons.tsx";
import { OutOfService } from "../../ui/in-service.tsx";
import { choicesOf, useAgents } from "../../ui/named.tsx";
import { Section } from "../../ui/page.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { notify } from "../../ui/toast.tsx";
import { CopiedCode, Facts, PhoneNumber, Time } from "../../ui/values.tsx";
import { NumberChecks } from "./number-checks.tsx";
import { numberById } from "./queries.ts";
import { callsOf } from "./words.ts";

type PhoneNumberRecord = Body<"PhoneNumber">;

export default function NumberPanel() {
  return (
    <ResourcePanel
      query={numberById}
      one={t.one}
      title={({ e164 }) => groupedNumber(e164)}
      lead={(number) => carriers.names[number().provider]}
      closeTo="/numbers"
      actions={(number) => <Actions number={number()} />}
    >
      {(number) => (
        <>
          <Show when={number().inbound_enabled}>
            <OutOfService agentId={number().agent_id} in_service={number().in_service} channel="phone" />
          </Show>
          <Pin number={number()} />
          <NumberChecks number={number()} />
          <NumberFacts number={number()} />
        </>
      )}
    </ResourcePanel>
  );
}

function Pin(props: { number: PhoneNumberRecord }) {
  const agents = useAgents();
  const form = createForm({
    initial: pinOf(props.number),
    stored: storedBy(props.number, numberById(props.number.id), pinOf),
    save: async ({ agent_id }, _before, headers) => {
      const params = { path: { id: props.number.id } };
      const body = { agent_id: agent_id || null };
      const saved = await data(api.PATCH("/api/v1/telephony/numbers/{id}", { params, body, headers }));
      await invalidate("numbers");
      notify(agent_id === "" ? t.pin.unpinned : t.pin.saved);
      return saved;
    },
  });
  return (
    <Section title={t.pin.title}>
      <ScopedForm needs="updatePhoneNumber" onSubmit={form.submit}>
        <Fields>
          <FormProblem form={form} />
          <SelectField
            label={t.pin.agent}
            hint={t.pin.hint}
            {...form.field("agent_id")}
            options={choicesOf(agents, t.pin.nobody)}
          />
          <Show when={form.dirty()}>
            <div>
              <Button kind="primary" type="submit" busy={form.busy()}>
                {form.values.agent_id === "" ? t.pin.unpin : t.pin.save}
              </Button>
            </div>
          </Show>
        </Fields>
      </ScopedForm>
    </Section>
  );
}

const pinOf = ({ agent_id }: PhoneNumberRecord) => ({ agent_id: agent_id ?? "" });

function NumberFacts(props: { number: PhoneNumberRecord }) {
  return (
    <Facts
      of={[
        [t.one, () => <PhoneNumber e164={props.number.e164} />],
        [
          t.facts.carrier,
          () => (
            <Show when={props.number.credentials_id} fallback={carriers.names[props.number.provider]}>
              {(id) => <A href={`/carriers/${id()}`}>{carriers.names[props.number.provider]}</A>}
            </Show>
          ),
        ],
        [t.facts.calls, () => callsOf(props.number)],
        [t.facts.added, () => <Time at={props.number.created_at} />],
        [t.facts.changed, () => <Time at={props.number.updated_at} />],
        [t.facts.id, () => <CopiedCode text={props.number.id} />],
      ]}
    />
  );
}

function Actions(props: { number: PhoneNumberRecord }) {
  const confirmDelete = useDelete("/numbers", "numbers");
  const remove = () => {
    const { id, e164 } = props.number;
    const number = groupedNumber(e164);
    return confirmDelete(
      { title: t.deleteTitle(number), body: t.deleteBody, verb: t.delete },
      () => api.DELETE("/api/v1/telephony/numbers/{id}", { params: { path: { id } } }),
      t.deleted(number),
    );
  };
  return (
    <>
      <Show when={props.number.outbound_enabled}>
        <LinkButton
          small
          icon={PhoneOutgoing}
          href={`/calls/new?${new URLSearchParams({ from_number: props.number.e164 })}`}
        >
          {t.callFrom}
        </LinkButton>
      </Show>
      <Button needs="deletePhoneNumber" small kind="danger" icon={Trash} onClick={() => void remove()}>
        {t.delete}
      </Button>
    </>
  );
}

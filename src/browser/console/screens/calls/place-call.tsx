import { useNavigate, useSearchParams } from "@solidjs/router";
import { Show } from "solid-js";
import { ApiFailure, api, type Body, data } from "../../api/client.ts";
import { agentList, numberList } from "../../api/lists.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { calls as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/feedback.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { optionsOf } from "../../ui/options.ts";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";

export default function PlaceCall() {
  const numbers = useQuery(numberList);
  const agents = useQuery(agentList);
  return (
    <SidePanel title={t.place} lead={t.form.lead} closeTo="/calls">
      <Loaded query={numbers}>
        {(found) => {
          const callable = () => found().numbers.filter(({ outbound_enabled }) => outbound_enabled);
          return (
            <Show when={callable().length > 0} fallback={<NoNumbers />}>
              <Loaded query={agents}>
                {(loaded) => (
                  <Show when={loaded().length > 0} fallback={<NoAgents />}>
                    <CallForm agents={loaded()} numbers={callable().map(({ e164 }) => e164)} />
                  </Show>
                )}
              </Loaded>
            </Show>
          );
        }}
      </Loaded>
    </SidePanel>
  );
}

function NoNumbers() {
  return (
    <Empty title={t.form.noNumbersTitle} action={<NextStep href="/numbers/new">{t.form.addNumber}</NextStep>}>
      {t.form.noNumbers}
    </Empty>
  );
}

function NoAgents() {
  return (
    <Empty title={t.form.noAgentsTitle} action={<NextStep href="/marketplace">{t.form.addAgent}</NextStep>}>
      {t.form.noAgents}
    </Empty>
  );
}

function NextStep(props: { href: string; children: string }) {
  return (
    <LinkButton href={props.href} kind="primary">
      {props.children}
    </LinkButton>
  );
}

type Voicemail = keyof typeof t.form.voicemails;

interface Order {
  agent_id: string;
  from_number: string;
  to_number: string;
  voicemail?: Exclude<Voicemail, "">;
}

/** The last request without a response, and its key. */
let unanswered = { body: "", key: "" };

/** Places a call. If the response was lost, sending the same order again dials only once. @throws ApiFailure */
async function place(body: Order): Promise<Body<"PlacedCall">> {
  const written = JSON.stringify(body);
  if (unanswered.body !== written) unanswered = { body: written, key: crypto.randomUUID() };
  const params = { header: { "Idempotency-Key": unanswered.key } };
  try {
    const placed = await data(api.POST("/api/v1/calls/originate", { params, body }));
    unanswered = { body: "", key: "" };
    return placed;
  } catch (error) {
    // After a refusal the next press is a new call. After any other failure the call may have been dialed already.
    if (error instanceof ApiFailure && !error.passing) unanswered = { body: "", key: "" };
    throw inPlainWords(error);
  }
}

const FIELDS: Record<string, string> = {
  do_not_call: "to_number",
  outbound_disabled: "from_number",
  agent_archived: "agent_id",
  not_published: "agent_id",
};

/**
 * Replaces a refusal by the form's own text at the field it concerns. Other messages, such as a carrier's, stay as they
 * are.
 */
function inPlainWords(error: unknown): unknown {
  if (!(error instanceof ApiFailure)) return error;
  const { status, code, message, requestId, fields } = error;
  const refusals: Record<string, string> = t.form.refusals;
  const words = refusals[code] ?? message;
  const field = FIELDS[code];
  return new ApiFailure(status, code, words, requestId, field ? [{ field, message: words }] : fields);
}

function CallForm(props: { agents: { id: string; name: string; status: string }[]; numbers: string[] }) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const parameter = (name: string): string => {
    const value = search[name];
    return typeof value === "string" ? value : "";
  };
  const only = props.numbers.length === 1 ? props.numbers[0] : undefined;
  const form = createForm({
    initial: {
      agent_id: parameter("agent_id"),
      from_number: parameter("from_number") || (only ?? ""),
      to_number: parameter("to_number"),
      voicemail: "" as Voicemail,
    },
    save: async ({ voicemail, ...values }) => {
      const body: Order = voicemail === "" ? values : { ...values, voicemail };
      const { call_id } = await place(body);
      form.reset();
      await invalidate("calls");
      navigate(`/calls/${call_id}`);
    },
  });
  const agents = () => [
    { value: "", label: t.form.chooseAgent, disabled: true },
    ...props.agents
      .filter(({ status }) => status !== "archived")
      .map(({ id, name }) => ({ value: id, label: name }))
      .sort((a, b) => a.label.localeCompare(b.label)),
  ];
  const numbers = () => [
    { value: "", label: t.form.chooseNumber, disabled: true },
    ...props.numbers.map((e164) => ({ value: e164, label: groupedNumber(e164) })),
  ];
  return (
    <FieldsForm
      needs="originateCall"
      form={form}
      verb={t.form.submit}
      disabled={form.values.agent_id === "" || form.values.from_number === ""}
    >
      <SelectField label={t.form.agent} hint={t.form.agentHint} {...form.field("agent_id")} options={agents()} />
      <SelectField label={t.form.from} hint={t.form.fromHint} {...form.field("from_number")} options={numbers()} />
      <TextField type="tel" label={t.form.to} hint={t.form.toHint} {...form.field("to_number")} required />
      <SelectField
        label={t.form.voicemail}
        hint={t.form.voicemailHint}
        {...form.field("voicemail")}
        options={optionsOf(t.form.voicemails)}
      />
      <p class="muted">{t.form.capNote}</p>
    </FieldsForm>
  );
}

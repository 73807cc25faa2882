import { A } from "@solidjs/router";
import { For, type JSX, Show } from "solid-js";
import { agentList, agentVersions, numberList } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { campaignSettings as t } from "../../../texts/index.ts";
import { CheckField, Fields, NumberField, SelectField, TextArea, TextField } from "../../../ui/fields.tsx";
import type { Form } from "../../../ui/form.ts";
import { Grid, Row, Stack } from "../../../ui/layout.tsx";
import { groupedNumber } from "../../../ui/phone-number.ts";
import { HoursFields } from "./hours-fields.tsx";
import styles from "./settings.module.css";
import { LIVE, RETRYABLE, type Retryable, type SettingsValues, VOICEMAIL } from "./settings-values.ts";

type Props = { form: Form<SettingsValues> };

const RECORD = ["", "true", "false"] as const;

export function SettingsFields(props: Props) {
  // The form never changes.
  const { field, values, error } = props.form;
  const toggleRetry = (outcome: Retryable, isOn: boolean) => {
    const { value, onInput } = field("retry_on");
    onInput(RETRYABLE.filter((each) => (each === outcome ? isOn : value.includes(each))));
  };
  return (
    <Stack gap={28}>
      <Fields legend={t.who}>
        <TextField label={t.fields.name} {...field("name")} maxlength={200} required />
        <AgentField form={props.form} />
        <VersionField form={props.form} />
        <NumberChoice form={props.form} />
      </Fields>
      <Fields legend={t.when}>
        <HoursFields form={props.form} />
        <TextField label={t.fields.scheduled} hint={t.scheduledHint} type="datetime-local" {...field("scheduled_at")} />
      </Fields>
      <details class={styles.more}>
        <summary>{t.more}</summary>
        <Fields>
          <Grid min={220}>
            <NumberField
              label={t.fields.concurrency}
              hint={t.concurrencyHint}
              min={1}
              max={10_000}
              step={1}
              {...field("max_concurrency")}
            />
            <NumberField
              label={t.fields.perMinute}
              hint={t.perMinuteHint}
              min={1}
              max={100_000}
              step={1}
              {...field("calls_per_minute")}
            />
            <NumberField
              label={t.fields.attempts}
              hint={t.attemptsHint}
              min={1}
              max={20}
              step={1}
              {...field("max_attempts")}
              error={error("retry_config.max_attempts")}
            />
            <TextField
              label={t.fields.intervals}
              hint={t.intervalsHint}
              inputmode="numeric"
              {...field("intervals")}
              error={error("retry_config.intervals_minutes") ?? error("retry_config.retry_interval_minutes")}
            />
          </Grid>
          <Fields legend={t.fields.retryOn} error={error("retry_config.retry_on")}>
            <Row gap={[8, 20]}>
              <For each={RETRYABLE}>
                {(outcome) => (
                  <CheckField
                    label={t.retryOn[outcome]}
                    value={values.retry_on.includes(outcome)}
                    onInput={(isOn) => toggleRetry(outcome, isOn)}
                  />
                )}
              </For>
            </Row>
          </Fields>
          <SelectField
            label={t.fields.voicemail}
            hint={t.voicemailHint}
            {...field("voicemail")}
            options={VOICEMAIL.map((value) => ({ value, label: t.voicemail[value] }))}
          />
          <Show when={values.voicemail === "leave_message"}>
            <TextArea
              label={t.fields.message}
              hint={t.messageHint}
              {...field("voicemail_message")}
              maxlength={5_000}
              rows={3}
            />
          </Show>
          <SelectField
            label={t.fields.record}
            {...field("record")}
            options={RECORD.map((value) => ({ value, label: t.record[value] }))}
          />
        </Fields>
      </details>
    </Stack>
  );
}

function AgentField(props: Props) {
  const agents = useQuery(agentList);
  const chosen = () => props.form.values.agent_id;
  const options = () => {
    if (agents.data === undefined) return undefined;
    const choices = agents.data
      .filter(({ id, status }) => status !== "archived" || id === chosen())
      .map(({ id, name, status }) => ({
        value: id,
        label: status === "draft" ? t.draftAgent(name) : status === "archived" ? t.archivedAgent(name) : name,
      }));
    const isGone = chosen() !== "" && !choices.some(({ value }) => value === chosen());
    const gone = isGone ? [{ value: chosen(), label: t.goneAgent }] : [];
    return [{ value: "", label: t.choose }, ...gone, ...choices];
  };
  const hint = (): JSX.Element => (
    <Show when={agents.data?.length === 0} fallback={t.agentHint}>
      {t.noAgents} <A href="/agents/new">{t.makeAgent}</A>
    </Show>
  );
  const choose = (id: string) => {
    props.form.field("agent_id").onInput(id);
    // A version number belongs to one agent.
    props.form.field("agent_version").onInput(LIVE);
  };
  return (
    <SelectField
      label={t.fields.agent}
      hint={hint()}
      {...props.form.field("agent_id")}
      onInput={choose}
      options={options()}
    />
  );
}

/** Chooses the agent's version for the calls, once the agent has versions. */
function VersionField(props: Props) {
  const agentId = () => props.form.values.agent_id;
  const chosen = () => props.form.values.agent_version;
  const versions = useQuery(() => ({ ...agentVersions(agentId()), enabled: agentId() !== "" }));
  const options = () => {
    const listed = (versions.data?.versions ?? []).flatMap(({ number, note }) =>
      number === null ? [] : [{ value: String(number), label: t.version(number, note) }],
    );
    const isGone = chosen() !== LIVE && !listed.some(({ value }) => value === chosen());
    const gone = isGone ? [{ value: chosen(), label: t.version(Number(chosen()), null) }] : [];
    return [{ value: LIVE, label: t.liveVersion }, ...gone, ...listed];
  };
  return (
    <Show when={agentId() !== "" && options().length > 1}>
      <SelectField
        label={t.fields.version}
        hint={chosen() === LIVE ? t.liveVersionHint : t.pinnedHint}
        {...props.form.field("agent_version")}
        options={options()}
      />
    </Show>
  );
}

function NumberChoice(props: Props) {
  const numbers = useQuery(numberList);
  const chosen = () => props.form.values.from_number;
  const calling = () => (numbers.data?.numbers ?? []).filter((number) => number.outbound_enabled);
  const options = () => {
    if (numbers.data === undefined) return undefined;
    const choices = calling().map(({ e164 }) => ({ value: e164, label: groupedNumber(e164) }));
    const isGone = chosen() !== "" && !choices.some(({ value }) => value === chosen());
    const gone = isGone ? [{ value: chosen(), label: t.goneNumber(groupedNumber(chosen())) }] : [];
    return [{ value: "", label: t.choose }, ...gone, ...choices];
  };
  const hint = (): JSX.Element => (
    <Show when={numbers.data && calling().length === 0} fallback={t.fromHint}>
      {t.noNumbers} <A href="/numbers">{t.addNumber}</A>
    </Show>
  );
  return <SelectField label={t.fields.from} hint={hint()} {...props.form.field("from_number")} options={options()} />;
}

import { A } from "@solidjs/router";
import { For, type JSX, Show } from "solid-js";
import type { SetStoreFunction } from "solid-js/store";
import { agentList, numberList } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { campaignSettings as t } from "../../../texts/index.ts";
import { CheckField, Fields, NumberField, SelectField, TextField } from "../../../ui/fields.tsx";
import { groupedNumber } from "../../../ui/phone-number.ts";
import { HoursFields } from "./hours-fields.tsx";
import styles from "./settings.module.css";
import { RETRYABLE, type SettingsValues, VOICEMAIL } from "./settings-values.ts";

/** A form's state, as far as the fields need it. */
export interface SettingsForm {
  values: SettingsValues;
  set: SetStoreFunction<SettingsValues>;
  error: (field: string) => string | undefined;
}

/** All settings of a campaign, the common ones first. */
export function SettingsFields(props: { form: SettingsForm }) {
  const set = <K extends keyof SettingsValues>(field: K, value: SettingsValues[K]) =>
    props.form.set((before) => Object.assign({}, before, { [field]: value }));
  return (
    <div class={styles.groups}>
      <Fields legend={t.who}>
        <TextField
          label={t.fields.name}
          value={props.form.values.name}
          onInput={(name) => set("name", name)}
          error={props.form.error("name")}
          maxlength={200}
          required
        />
        <AgentField form={props.form} onChange={(id) => set("agent_id", id)} />
        <NumberChoice form={props.form} onChange={(number) => set("from_number", number)} />
      </Fields>
      <Fields legend={t.when}>
        <HoursFields form={props.form} />
        <TextField
          label={t.fields.scheduled}
          hint={t.scheduledHint}
          type="datetime-local"
          value={props.form.values.scheduled_at}
          onInput={(at) => set("scheduled_at", at)}
          error={props.form.error("scheduled_at")}
        />
      </Fields>
      <details class={styles.more}>
        <summary>{t.more}</summary>
        <Fields>
          <div class={styles.pair}>
            <NumberField
              label={t.fields.concurrency}
              hint={t.concurrencyHint}
              min={1}
              max={10_000}
              step={1}
              value={props.form.values.max_concurrency}
              onInput={(most) => set("max_concurrency", most)}
              error={props.form.error("max_concurrency")}
            />
            <NumberField
              label={t.fields.perMinute}
              hint={t.perMinuteHint}
              min={1}
              max={100_000}
              step={1}
              value={props.form.values.calls_per_minute}
              onInput={(most) => set("calls_per_minute", most)}
              error={props.form.error("calls_per_minute")}
            />
            <NumberField
              label={t.fields.attempts}
              hint={t.attemptsHint}
              min={1}
              max={20}
              step={1}
              value={props.form.values.max_attempts}
              onInput={(most) => set("max_attempts", most)}
              error={props.form.error("retry_config.max_attempts")}
            />
            <TextField
              label={t.fields.intervals}
              hint={t.intervalsHint}
              inputmode="numeric"
              value={props.form.values.intervals}
              onInput={(text) => set("intervals", text)}
              error={
                props.form.error("retry_config.intervals_minutes") ??
                props.form.error("retry_config.retry_interval_minutes")
              }
            />
          </div>
          <Fields legend={t.fields.retryOn} error={props.form.error("retry_config.retry_on")}>
            <div class={styles.checks}>
              <For each={RETRYABLE}>
                {(outcome) => (
                  <CheckField
                    label={t.retryOn[outcome]}
                    value={props.form.values.retry_on.includes(outcome)}
                    onChange={(isOn) =>
                      set(
                        "retry_on",
                        RETRYABLE.filter((each) =>
                          each === outcome ? isOn : props.form.values.retry_on.includes(each),
                        ),
                      )
                    }
                  />
                )}
              </For>
            </div>
          </Fields>
          <SelectField
            label={t.fields.voicemail}
            hint={t.voicemailHint}
            value={props.form.values.voicemail}
            options={VOICEMAIL.map((value) => ({ value, label: t.voicemail[value] }))}
            onChange={(value) => {
              const chosen = VOICEMAIL.find((known) => known === value);
              if (chosen) set("voicemail", chosen);
            }}
            error={props.form.error("voicemail")}
          />
          <SelectField
            label={t.fields.record}
            value={props.form.values.record}
            options={(["", "true", "false"] as const).map((value) => ({ value, label: t.record[value] }))}
            onChange={(value) => set("record", value === "true" || value === "false" ? value : "")}
            error={props.form.error("record")}
          />
        </Fields>
      </details>
    </div>
  );
}

function AgentField(props: { form: SettingsForm; onChange: (id: string) => void }) {
  const agents = useQuery(agentList);
  const chosen = () => props.form.values.agent_id;
  const found = () => agents.data ?? [];
  const options = () => {
    const known = found()
      .filter(({ id, status }) => status !== "archived" || id === chosen())
      .map(({ id, name, status }) => ({
        value: id,
        label: status === "draft" ? t.draftAgent(name) : status === "archived" ? t.archivedAgent(name) : name,
      }));
    const isGone = agents.data !== undefined && chosen() !== "" && !known.some(({ value }) => value === chosen());
    const gone = isGone ? [{ value: chosen(), label: t.goneAgent }] : [];
    return [{ value: "", label: t.choose }, ...gone, ...known];
  };
  const hint = (): JSX.Element => (
    <Show when={agents.data && found().length === 0} fallback={t.agentHint}>
      {t.noAgents} <A href="/agents/new">{t.makeAgent}</A>
    </Show>
  );
  return (
    <SelectField
      label={t.fields.agent}
      hint={hint()}
      value={chosen()}
      options={options()}
      onChange={props.onChange}
      error={props.form.error("agent_id")}
    />
  );
}

function NumberChoice(props: { form: SettingsForm; onChange: (number: string) => void }) {
  const numbers = useQuery(numberList);
  const chosen = () => props.form.values.from_number;
  const calling = () => (numbers.data?.numbers ?? []).filter((number) => number.outbound_enabled);
  const options = () => {
    const known = calling().map(({ e164 }) => ({ value: e164, label: groupedNumber(e164) }));
    const isGone = numbers.data !== undefined && chosen() !== "" && !known.some(({ value }) => value === chosen());
    const gone = isGone ? [{ value: chosen(), label: t.goneNumber(groupedNumber(chosen())) }] : [];
    return [{ value: "", label: t.choose }, ...gone, ...known];
  };
  const hint = (): JSX.Element => (
    <Show when={numbers.data && calling().length === 0} fallback={t.fromHint}>
      {t.noNumbers} <A href="/numbers">{t.addNumber}</A>
    </Show>
  );
  return (
    <SelectField
      label={t.fields.from}
      hint={hint()}
      value={chosen()}
      options={options()}
      onChange={props.onChange}
      error={props.form.error("from_number")}
    />
  );
}

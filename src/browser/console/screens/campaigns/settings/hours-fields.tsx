import { For, Index, Show } from "solid-js";
import { campaignSettings as t } from "../../../texts/index.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { GroupFault, SelectField, TextField } from "../../../ui/fields.tsx";
import type { Form } from "../../../ui/form.ts";
import { Plus, Trash } from "../../../ui/icons.tsx";
import { zoneOptions } from "../../../ui/time-zone-field.tsx";
import styles from "./settings.module.css";
import { type CallingHours, type SettingsValues, WORKING_HOURS } from "./settings-values.ts";

/** The calling hours: at any time, or on some days between some hours, with their time zone. */
export function HoursFields(props: { form: Form<SettingsValues> }) {
  const windows = () => props.form.values.schedule_config;
  const change = (n: number, changes: Partial<CallingHours>) =>
    props.form.set("schedule_config", n, (before) => Object.assign({}, before, changes));
  const add = () => props.form.set("schedule_config", [...windows(), structuredClone(WORKING_HOURS)]);
  const remove = (n: number) => props.form.set("schedule_config", windows().toSpliced(n, 1));
  return (
    <>
      <SelectField
        label={t.fields.when}
        value={windows().length === 0 ? "any" : "hours"}
        options={[
          { value: "hours", label: t.hours },
          { value: "any", label: t.anyHour },
        ]}
        onInput={(value) => props.form.set("schedule_config", value === "any" ? [] : [structuredClone(WORKING_HOURS)])}
        error={props.form.error("schedule_config")}
      />
      <Show when={windows().length > 0}>
        <Index each={windows()}>
          {(window, n) => (
            <fieldset class={styles.window} aria-label={t.window(n + 1)}>
              <GroupFault label={t.window(n + 1)} error={props.form.error(`schedule_config.${n}`)} />
              <Days days={window().days} onChange={(days) => change(n, { days })} />
              <TextField
                label={t.from}
                type="time"
                value={window().start}
                onInput={(start) => change(n, { start })}
                error={props.form.error(`schedule_config.${n}.start`)}
                required
              />
              <TextField
                label={t.until}
                type="time"
                // A time field ends at 23:59, so midnight is written as 00:00.
                value={window().end === "24:00" ? "00:00" : window().end}
                onInput={(end) => change(n, { end: end === "00:00" ? "24:00" : end })}
                error={props.form.error(`schedule_config.${n}.end`)}
                required
              />
              <Show when={windows().length > 1}>
                <IconButton icon={Trash} label={t.removeWindow(n + 1)} onClick={() => remove(n)} />
              </Show>
            </fieldset>
          )}
        </Index>
        <div>
          <Button small icon={Plus} onClick={add}>
            {t.addWindow}
          </Button>
        </div>
        <SelectField
          label={t.fields.timezone}
          hint={t.timezoneHint}
          {...props.form.field("timezone")}
          options={zoneOptions(props.form.values.timezone)}
        />
      </Show>
    </>
  );
}

function Days(props: { days: number[]; onChange: (days: number[]) => void }) {
  const toggle = (day: number, isOn: boolean) =>
    props.onChange([1, 2, 3, 4, 5, 6, 7].filter((each) => (each === day ? isOn : props.days.includes(each))));
  return (
    <div class={styles.days}>
      <For each={t.shortDays}>
        {(word, i) => (
          <label class={styles.day}>
            <input
              type="checkbox"
              aria-label={t.days[i()]}
              checked={props.days.includes(i() + 1)}
              onChange={(event) => toggle(i() + 1, event.currentTarget.checked)}
            />
            <span aria-hidden="true">{word}</span>
          </label>
        )}
      </For>
    </div>
  );
}

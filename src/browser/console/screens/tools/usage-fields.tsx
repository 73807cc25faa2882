import { For, Show } from "solid-js";
import { tools } from "../../texts/index.ts";
import { CheckField, Fields, NumberField, SelectField, TextField } from "../../ui/fields.tsx";
import type { Form } from "../../ui/form.ts";
import { formatJson, objectIn } from "../../ui/json.ts";
import { Stack } from "../../ui/layout.tsx";
import { optionsOf } from "../../ui/options.ts";
import { Section } from "../../ui/page.tsx";
import { type BindingRow, bindingRow, isClaim, withBinding } from "./binding-rows.ts";
import type { Definition } from "./tool-definition.ts";
import styles from "./tools.module.css";

const { usage: t } = tools;

/** Fields for what a tool changes, how often it may run, and which arguments the model doesn't fill in. */
export function UsageFields(props: {
  form: Pick<Form<Definition>, "values" | "field" | "error">;
  parameters: string[];
}) {
  const { field, error } = props.form;
  return (
    <Section title={t.title}>
      <Fields>
        <SelectField label={t.effect} hint={t.effectHint} {...field("effect")} options={optionsOf(t.effects)} />
        <NumberField
          label={t.maxRuns}
          hint={t.maxRunsHint}
          value={props.form.values.max_runs ?? undefined}
          onInput={(value) => field("max_runs").onInput(value ?? null)}
          error={error("max_runs")}
          min={1}
          max={1000}
          step={1}
        />
      </Fields>
      <p class="muted">{t.bindLead}</p>
      <Show when={props.parameters.length > 0} fallback={<p>{t.noParameters}</p>}>
        <Stack gap={12} max={640}>
          <For each={props.parameters}>{(name) => <BindingFields name={name} form={props.form} />}</For>
        </Stack>
      </Show>
    </Section>
  );
}

function BindingFields(props: { name: string; form: Pick<Form<Definition>, "values" | "field" | "error"> }) {
  const bind = () => objectIn(props.form.values.bind) ?? {};
  const row = () => bindingRow(bind(), props.name);
  const change = (changed: Partial<BindingRow>) => {
    const { source, column, unverified } = row();
    const next = Object.assign({ source, column, unverified }, changed);
    props.form.field("bind").onInput(formatJson(withBinding(bind(), props.name, next)));
  };
  return (
    <fieldset class={styles.row} aria-label={props.name}>
      <SelectField
        label={t.filledIn(props.name)}
        value={row().source}
        options={optionsOf(t.sources)}
        onInput={(source) => change({ source })}
        error={props.form.error(`bind.${props.name}`)}
      />
      <Show when={row().source === "contact"}>
        <TextField
          label={t.column}
          hint={t.columnHint}
          value={row().column}
          onInput={(column) => change({ column })}
          required
        />
      </Show>
      <Show when={isClaim(row().source)}>
        <CheckField
          label={row().source === "visitor.id" ? t.acceptGuests : t.acceptCallers}
          hint={t.unverifiedHint}
          value={row().unverified}
          onInput={(unverified) => change({ unverified })}
        />
      </Show>
    </fieldset>
  );
}

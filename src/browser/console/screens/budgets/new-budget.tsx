import { useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { budgets as t } from "../../texts/index.ts";
import { NumberField, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { choicesOf, useAgents } from "../../ui/named.tsx";
import { optionsOf } from "../../ui/options.ts";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import type { Budget } from "./queries.ts";
import { sharesOf } from "./warnings.ts";

type NewBudgetValues = Pick<Budget, "scope" | "period" | "unit" | "limit" | "action"> & {
  scope_id: string;
  warn_at: string;
};

const INITIAL: NewBudgetValues = {
  scope: "account",
  scope_id: "",
  period: "day",
  unit: "tokens",
  limit: 1_000_000,
  warn_at: "80",
  action: "stop_new",
};

/** The form that creates a budget. */
export default function NewBudget() {
  const navigate = useNavigate();
  const agents = useAgents();
  const form = createForm<NewBudgetValues>({
    initial: INITIAL,
    save: async ({ scope, scope_id, warn_at, ...rest }) => {
      const of = scope === "account" ? null : scope_id.trim();
      const body = { ...rest, scope, scope_id: of, warn_at: sharesOf(warn_at) };
      const { id } = await data(api.POST("/api/v1/budgets", { body }));
      form.reset();
      await invalidate("budgets");
      navigate(`/budgets/${id}`);
    },
  });
  const units = optionsOf(t.units).filter(({ value }) => value !== "usd_micros");
  return (
    <SidePanel title={t.add} lead={t.form.lead} closeTo="/budgets">
      <FieldsForm form={form} verb={t.form.submit}>
        <SelectField label={t.form.scope} {...form.field("scope")} options={optionsOf(t.scopes)} />
        <Show when={form.values.scope === "agent"}>
          <SelectField label={t.form.id.agent} {...form.field("scope_id")} options={choicesOf(agents, "–")} />
        </Show>
        <Show when={form.values.scope === "campaign" || form.values.scope === "api_key"}>
          <TextField
            label={`${t.scopes[form.values.scope]} (${t.facts.id})`}
            {...form.field("scope_id")}
            code
            required
          />
        </Show>
        <SelectField label={t.form.unit} {...form.field("unit")} options={units} />
        <SelectField label={t.form.period} {...form.field("period")} options={optionsOf(t.periods)} />
        <NumberField
          label={t.form.limit}
          {...form.field("limit")}
          onInput={(value) => form.set("limit", value ?? 0)}
          min={1}
          step={1}
          required
        />
        <TextField label={t.form.warnAt} hint={t.form.warnAtHint} {...form.field("warn_at")} />
        <SelectField
          label={t.form.action}
          hint={t.actionHints[form.values.action]}
          {...form.field("action")}
          options={optionsOf(t.actions)}
        />
      </FieldsForm>
    </SidePanel>
  );
}

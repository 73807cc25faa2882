import { useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { budgets as t } from "../../texts/index.ts";
import { NumberField, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { choicesOf, useAgents, useApiKeys, useCampaigns } from "../../ui/named.tsx";
import { optionsOf } from "../../ui/options.ts";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { limitOf } from "./amounts.ts";
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
  const form = createForm<NewBudgetValues>({
    initial: INITIAL,
    save: async ({ scope, scope_id, warn_at, unit, limit, period, action }) => {
      const of = scope === "account" ? null : scope_id;
      const body = {
        scope,
        scope_id: of,
        period,
        unit,
        limit: limitOf(unit, limit),
        warn_at: sharesOf(warn_at),
        action,
      };
      const { id } = await data(api.POST("/api/v1/budgets", { body }));
      form.reset();
      await invalidate("budgets");
      navigate(`/budgets/${id}`);
    },
  });
  const names = { agent: useAgents(), campaign: useCampaigns(), api_key: useApiKeys() };
  const choices = () => {
    const { scope } = form.values;
    return choicesOf(scope === "account" ? () => [] : names[scope], t.form.choose);
  };
  const setScope = (scope: Budget["scope"]) => {
    form.set("scope", scope);
    form.set("scope_id", "");
  };
  const isCost = () => form.values.unit === "usd_micros";
  const setUnit = (unit: Budget["unit"]) => {
    form.set("unit", unit);
    if (isCost()) form.set("action", "warn");
  };
  return (
    <SidePanel title={t.add} lead={t.form.lead} closeTo="/budgets">
      <FieldsForm needs="createBudget" form={form} verb={t.form.submit}>
        <SelectField label={t.form.scope} {...form.field("scope")} onInput={setScope} options={optionsOf(t.scopes)} />
        <Show when={form.values.scope !== "account"}>
          <SelectField label={t.scopes[form.values.scope]} {...form.field("scope_id")} options={choices()} />
        </Show>
        <SelectField label={t.form.unit} {...form.field("unit")} onInput={setUnit} options={optionsOf(t.units)} />
        <SelectField label={t.form.period} {...form.field("period")} options={optionsOf(t.periods)} />
        <NumberField
          label={t.form.limit}
          {...form.field("limit")}
          onInput={(value) => form.set("limit", value ?? 0)}
          min={isCost() ? 0.01 : 1}
          step={isCost() ? 0.01 : 1}
          required
        />
        <TextField label={t.form.warnAt} hint={t.form.warnAtHint} {...form.field("warn_at")} />
        <SelectField
          label={t.form.action}
          hint={isCost() ? t.costsWarn : t.actionHints[form.values.action]}
          {...form.field("action")}
          options={optionsOf(t.actions).filter(({ value }) => !isCost() || value === "warn")}
        />
      </FieldsForm>
    </SidePanel>
  );
}

import { Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { budgets as t } from "../../texts/index.ts";
import { NumberField, SelectField, TextField } from "../../ui/fields.tsx";
import type { Form } from "../../ui/form.ts";
import { choicesOf, useAgents, useApiKeys, useCampaigns } from "../../ui/named.tsx";
import { optionsOf } from "../../ui/options.ts";
import { SidePanel } from "../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { createResourceForm } from "../../ui/resource-form.ts";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { Usage } from "../../ui/usage.tsx";
import { CopiedCode, Facts, Time } from "../../ui/values.tsx";
import { amountIn, enteredLimit, limitOf } from "./amounts.ts";
import { type Budget, budgetById } from "./queries.ts";
import { ScopeOf } from "./scope.tsx";
import { percentsOf, sharesOf } from "./warnings.ts";

export default function BudgetPanel() {
  return (
    <ResourcePanel
      query={budgetById}
      one={t.one}
      title={({ unit, period }) => t.of(t.units[unit], t.periods[period])}
      lead={(found) => <ScopeOf of={found()} />}
      closeTo="/budgets"
    >
      {(found) => (
        <>
          <Usage
            name={t.columns.used}
            used={found().used}
            limit={found().limit}
            format={(amount) => amountIn(found().unit, amount)}
          />
          <BudgetForm budget={found()} />
          <Facts
            of={[
              [t.columns.resets, () => <Time at={found().resets_at} ahead />],
              [t.facts.created, () => <Time at={found().created_at} />],
              [t.facts.id, () => <CopiedCode text={found().id} />],
            ]}
          />
        </>
      )}
    </ResourcePanel>
  );
}

export function NewBudget() {
  return (
    <SidePanel title={t.add} lead={t.form.lead} closeTo="/budgets">
      <BudgetForm />
    </SidePanel>
  );
}

type Values = Pick<Budget, "scope" | "period" | "unit" | "limit" | "action"> & { scope_id: string; warn_at: string };

const EMPTY: Values = {
  scope: "account",
  scope_id: "",
  period: "day",
  unit: "tokens",
  limit: 1_000_000,
  warn_at: "80",
  action: "stop_new",
};

/** The form of a budget. The scope, unit and period can only be chosen for a new one. */
function BudgetForm(props: { budget?: Budget }) {
  const isNew = props.budget === undefined;
  const form = createResourceForm<Budget, Values>({
    of: props.budget,
    query: budgetById,
    values: valuesOf,
    empty: EMPTY,
    create: ({ scope, scope_id, period, ...settings }) => {
      const of = { scope, scope_id: scope === "account" ? null : scope_id, period, unit: settings.unit };
      return data(api.POST("/api/v1/budgets", { body: Object.assign(of, settingsIn(settings)) }));
    },
    update: (id, values, _before, headers) =>
      data(api.PATCH("/api/v1/budgets/{id}", { params: { path: { id } }, body: settingsIn(values), headers })),
    list: "/budgets",
    collection: "budgets",
    saved: t.saved,
  });
  const confirmDelete = useDelete("/budgets", "budgets");
  const remove = () =>
    confirmDelete(t.remove, () =>
      api.DELETE("/api/v1/budgets/{id}", { params: { path: { id: props.budget?.id ?? "" } } }),
    );
  const isCost = () => form.values.unit === "usd_micros";
  return (
    <PanelForm needs={isNew ? "createBudget" : "updateBudget"} form={form}>
      <Show when={isNew}>
        <ScopeFields form={form} />
      </Show>
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
      <PanelFooter
        form={form}
        isNew={isNew}
        verb={isNew ? t.form.submit : undefined}
        onDelete={isNew ? undefined : remove}
      />
    </PanelForm>
  );
}

function ScopeFields(props: { form: Form<Values> }) {
  const { values, set, field } = props.form;
  const names = { agent: useAgents(), campaign: useCampaigns(), api_key: useApiKeys() };
  const choices = () => choicesOf(values.scope === "account" ? () => [] : names[values.scope], t.form.choose);
  const setUnit = (unit: Budget["unit"]) => set(unit === "usd_micros" ? { unit, action: "warn" } : { unit });
  return (
    <>
      <SelectField
        label={t.form.scope}
        {...field("scope")}
        onInput={(scope) => set({ scope, scope_id: "" })}
        options={optionsOf(t.scopes)}
      />
      <Show when={values.scope !== "account"}>
        <SelectField label={t.scopes[values.scope]} {...field("scope_id")} options={choices()} />
      </Show>
      <SelectField label={t.form.unit} {...field("unit")} onInput={setUnit} options={optionsOf(t.units)} />
      <SelectField label={t.form.period} {...field("period")} options={optionsOf(t.periods)} />
    </>
  );
}

/** Returns the settings that can be changed, as the service expects them. */
const settingsIn = ({ unit, limit, warn_at, action }: Pick<Values, "unit" | "limit" | "warn_at" | "action">) => ({
  limit: limitOf(unit, limit),
  warn_at: sharesOf(warn_at),
  action,
});

const valuesOf = (budget: Budget): Values => ({
  scope: budget.scope,
  scope_id: budget.scope_id ?? "",
  period: budget.period,
  unit: budget.unit,
  limit: enteredLimit(budget),
  warn_at: percentsOf(budget.warn_at),
  action: budget.action,
});

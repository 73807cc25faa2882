import { api, data } from "../../api/client.ts";
import { invalidate, storedBy } from "../../api/queries.ts";
import { budgets as t } from "../../texts/index.ts";
import { NumberField, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { optionsOf } from "../../ui/options.ts";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { notify } from "../../ui/toast.tsx";
import { Usage } from "../../ui/usage.tsx";
import { CopiedCode, Facts, Time } from "../../ui/values.tsx";
import { amountIn, enteredLimit, limitOf } from "./amounts.ts";
import { type Budget, budgetById } from "./queries.ts";
import { ScopeOf } from "./scope.tsx";
import { percentsOf, sharesOf } from "./warnings.ts";

/** A budget: how much of it is used, and its settings. */
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
          <Settings budget={found()} />
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

function Settings(props: { budget: Budget }) {
  const confirmDelete = useDelete("/budgets", "budgets");
  const isCost = () => props.budget.unit === "usd_micros";
  const params = { path: { id: props.budget.id } };
  const form = createForm({
    initial: settingsOf(props.budget),
    stored: storedBy(props.budget, budgetById(props.budget.id), settingsOf),
    save: async ({ limit, warn_at, action }, _before, headers) => {
      const body = { limit: limitOf(props.budget.unit, limit), warn_at: sharesOf(warn_at), action };
      const saved = await data(api.PATCH("/api/v1/budgets/{id}", { params, body, headers }));
      await invalidate("budgets");
      notify(t.saved);
      return saved;
    },
  });
  const remove = () => confirmDelete(t.remove, () => api.DELETE("/api/v1/budgets/{id}", { params }));
  return (
    <PanelForm needs="updateBudget" form={form}>
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
      <PanelFooter form={form} onDelete={remove} />
    </PanelForm>
  );
}

const settingsOf = (budget: Budget) => ({
  limit: enteredLimit(budget),
  warn_at: percentsOf(budget.warn_at),
  action: budget.action,
});

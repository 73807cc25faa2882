import type { RouteSectionProps } from "@solidjs/router";
import { useQuery } from "../../api/use-query.ts";
import { budgets as t } from "../../texts/index.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Usage } from "../../ui/usage.tsx";
import { Time } from "../../ui/values.tsx";
import { amountIn } from "./amounts.ts";
import { type Budget, budgetList } from "./queries.ts";
import { ScopeOf } from "./scope.tsx";

export default function Budgets(props: RouteSectionProps) {
  const list = useQuery(budgetList);
  const columns: Column<Budget>[] = [
    { header: t.columns.what, cell: (budget) => <ScopeOf of={budget} plain /> },
    {
      header: t.columns.used,
      cell: ({ unit, period, used, limit }) => (
        <Usage
          name={t.of(t.units[unit], t.periods[period])}
          used={used}
          limit={limit}
          format={(amount) => amountIn(unit, amount)}
        />
      ),
    },
    { header: t.columns.action, cell: ({ action }) => t.actions[action], minor: true },
    { header: t.columns.resets, cell: ({ resets_at }) => <Time at={resets_at} ahead />, minor: true },
  ];
  return (
    <ResourceList
      texts={t}
      path="/budgets"
      newAt="/budgets/new"
      query={list}
      rows={({ budgets }) => budgets}
      columns={columns}
      ids={({ id }) => [id]}
      skeletonLines={4}
      panel={props.children}
    />
  );
}

import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { accounts as t } from "../../texts/index.ts";
import { SelectField } from "../../ui/fields.tsx";
import { planList } from "./queries.ts";

export type Plan = Body<"Plan">["name"];

const PLANS: Plan[] = ["starter", "growth", "scale"];
const OPTIONS = PLANS.map((value) => ({ value, label: t.plans[value] }));

export function usePlan(name: () => Plan): () => Body<"Plan"> | undefined {
  const list = useQuery(planList);
  return () => list.data?.plans.find((plan) => plan.name === name());
}

/** Chooses a plan and shows its call limits. */
export function PlanField(props: { value: Plan; onInput: (plan: Plan) => void; error: string | undefined }) {
  const plan = usePlan(() => props.value);
  const hint = () => {
    const chosen = plan();
    // Reserves a line, so that nothing moves when the plan is loaded.
    return chosen ? t.planGives(chosen.caps) : "…";
  };
  return <SelectField label={t.fields.plan} hint={hint()} options={OPTIONS} {...props} />;
}

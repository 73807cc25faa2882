import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { accounts as t } from "../../texts/index.ts";
import { SelectField } from "../../ui/fields.tsx";
import { planList } from "./queries.ts";

export type Plan = Body<"Plan">["name"];

const PLANS: Plan[] = ["starter", "growth", "scale"];
const OPTIONS = PLANS.map((value) => ({ value, label: t.plans[value] }));

/** The limits of a plan; undefined until they are known. */
export function usePlan(name: () => Plan): () => Body<"Plan"> | undefined {
  const list = useQuery(planList);
  return () => list.data?.plans.find((plan) => plan.name === name());
}

/** The choice of a plan, with the calls that it gives. */
export function PlanField(props: { value: Plan; onInput: (plan: Plan) => void; error: string | undefined }) {
  const plan = usePlan(() => props.value);
  const hint = () => {
    const chosen = plan();
    // A line of its own from the beginning, so that nothing moves when it is known.
    return chosen ? t.planGives(chosen.caps) : "…";
  };
  return <SelectField label={t.fields.plan} hint={hint()} options={OPTIONS} {...props} />;
}

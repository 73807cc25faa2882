import { Badge } from "../../ui/values.tsx";
import type { Webhook } from "./queries.ts";
import { stateOf } from "./webhook-state.ts";

export function State(props: { of: Webhook }) {
  const state = () => stateOf(props.of);
  return <Badge tone={state().tone}>{state().words}</Badge>;
}

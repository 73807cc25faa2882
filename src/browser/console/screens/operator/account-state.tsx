import { accounts as t } from "../../texts/index.ts";
import { Badge } from "../../ui/values.tsx";

export function AccountState(props: { disabled: boolean }) {
  return <Badge tone={props.disabled ? "idle" : "ok"}>{props.disabled ? t.states.disabled : t.states.open}</Badge>;
}

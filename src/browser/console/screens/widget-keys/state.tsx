import type { Body } from "../../api/client.ts";
import { widgetKeys as t } from "../../texts/index.ts";
import { Badge } from "../../ui/values.tsx";

/** Widget keys do not expire. These types leave out the members that are always null. */
type NeverThere = "expires_at";
export type WidgetKey = Omit<Body<"WidgetKey">, NeverThere>;
export type CreatedWidgetKey = Omit<Body<"CreatedWidgetKey">, NeverThere>;

export function State(props: { of: WidgetKey }) {
  const isActive = () => props.of.disabled_at === null;
  return <Badge tone={isActive() ? "ok" : "idle"}>{isActive() ? t.states.active : t.states.disabled}</Badge>;
}

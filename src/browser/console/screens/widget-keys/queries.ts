import type { Body } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";

/** Widget keys do not expire; the client leaves out what is always null. */
type NeverThere = "expires_at";
export type WidgetKey = Omit<Body<"WidgetKey">, NeverThere>;
export type CreatedWidgetKey = Omit<Body<"CreatedWidgetKey">, NeverThere>;

/** Has the list and its panel ask again, after a change. */
export const keysChanged = () => queries.invalidateQueries({ queryKey: ["widget-keys"] });

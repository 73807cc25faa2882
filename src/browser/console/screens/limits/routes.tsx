import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** What the account may use. */
export function LimitsRoutes() {
  return <Route path="/limits" component={lazy(() => import("./limits.tsx"))} />;
}

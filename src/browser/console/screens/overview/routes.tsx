import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** The first screen. */
export function OverviewRoutes() {
  return <Route path="/" component={lazy(() => import("./overview.tsx"))} />;
}

import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** How calls and conversations are held and kept. */
export function CallSettingsRoutes() {
  return <Route path="/call-settings" component={lazy(() => import("./call-settings.tsx"))} />;
}

import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Integrations, one of them in the side panel. */
export function IntegrationRoutes() {
  return (
    <Route path="/integrations" component={lazy(() => import("./integrations.tsx"))}>
      <Route path="/" />
      <Route path="/:id" component={lazy(() => import("./integration-panel.tsx"))} />
    </Route>
  );
}

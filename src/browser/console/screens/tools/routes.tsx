import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Tools, one of them in the side panel: its definition, a run of it, or its last runs. */
export function ToolRoutes() {
  return (
    <Route path="/tools" component={lazy(() => import("./tools.tsx"))}>
      <Route path="/" />
      <Route path="/:id/:part?" component={lazy(() => import("./tool-panel.tsx"))} />
    </Route>
  );
}

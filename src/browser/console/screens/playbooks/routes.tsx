import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Playbooks, one of them in the side panel. */
export function PlaybookRoutes() {
  return (
    <Route path="/playbooks" component={lazy(() => import("./playbooks.tsx"))}>
      <Route path="/" />
      <Route path="/:id" component={lazy(() => import("./playbook-panel.tsx"))} />
    </Route>
  );
}

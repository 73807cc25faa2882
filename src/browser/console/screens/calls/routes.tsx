import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Calls, one of them or the form for a new one in the side panel. */
export function CallRoutes() {
  return (
    <Route path="/calls" component={lazy(() => import("./calls.tsx"))}>
      <Route path="/" />
      <Route path="/new" component={lazy(() => import("./place-call.tsx"))} />
      <Route path="/:id" component={lazy(() => import("./call-panel.tsx"))} />
    </Route>
  );
}

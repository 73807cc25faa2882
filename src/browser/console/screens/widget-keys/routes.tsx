import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Widget keys, one of them in the side panel. */
export function WidgetKeyRoutes() {
  return (
    <Route path="/widget-keys" component={lazy(() => import("./widget-keys.tsx"))}>
      <Route path="/" />
      <Route path="/new" component={lazy(() => import("./new-widget-key.tsx"))} />
      <Route path="/:id" component={lazy(() => import("./widget-key-panel.tsx"))} />
    </Route>
  );
}

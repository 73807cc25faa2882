import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** API keys, one of them in the side panel. */
export function ApiKeyRoutes() {
  return (
    <Route path="/api-keys" component={lazy(() => import("./api-keys.tsx"))}>
      <Route path="/" />
      <Route path="/new" component={lazy(() => import("./new-api-key.tsx"))} />
      <Route path="/:id" component={lazy(() => import("./api-key-panel.tsx"))} />
    </Route>
  );
}

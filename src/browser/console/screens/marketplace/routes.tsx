import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** The marketplace, one of its templates in the side panel. */
export function MarketplaceRoutes() {
  return (
    <Route path="/marketplace" component={lazy(() => import("./marketplace.tsx"))}>
      <Route path="/" />
      <Route path="/:id" component={lazy(() => import("./template-panel.tsx"))} />
    </Route>
  );
}

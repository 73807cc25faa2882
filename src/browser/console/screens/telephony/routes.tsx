import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Phone numbers and the carriers they lie at, each with its side panel. */
export function TelephonyRoutes() {
  return (
    <>
      <Route path="/numbers" component={lazy(() => import("./numbers.tsx"))}>
        <Route path="/" />
        <Route path="/new" component={lazy(() => import("./new-number.tsx"))} />
        <Route path="/:id" component={lazy(() => import("./number-panel.tsx"))} />
      </Route>
      <Route path="/carriers" component={lazy(() => import("./carriers.tsx"))}>
        <Route path="/" />
        <Route path="/new" component={lazy(() => import("./new-carrier.tsx"))} />
        <Route path="/:id" component={lazy(() => import("./carrier-panel.tsx"))} />
      </Route>
    </>
  );
}

import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** The do-not-call list, and the form that adds to it beside it. */
export function DoNotCallRoutes() {
  return (
    <Route path="/do-not-call" component={lazy(() => import("./do-not-call.tsx"))}>
      <Route path="/" />
      <Route path="/add" component={lazy(() => import("./add-numbers.tsx"))} />
    </Route>
  );
}

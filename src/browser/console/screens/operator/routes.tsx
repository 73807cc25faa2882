import { Navigate, Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** What operators see: the accounts, one in the side panel, which are also their first screen, and the service. */
export function OperatorRoutes() {
  return (
    <>
      <Route path="/" component={() => <Navigate href="/accounts" />} />
      <Route path="/accounts" component={lazy(() => import("./accounts.tsx"))}>
        <Route path="/" />
        <Route path="/new" component={lazy(() => import("./new-account.tsx"))} />
        <Route path="/:id" component={lazy(() => import("./account-panel.tsx"))} />
      </Route>
      <Route path="/service" component={lazy(() => import("./service.tsx"))} />
    </>
  );
}

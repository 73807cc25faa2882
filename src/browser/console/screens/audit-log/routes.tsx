import { Route } from "@solidjs/router";
import { lazy, Show } from "solid-js";
import { isOperator } from "../../session/session.ts";

/** The audit log, one entry in the side panel: of this account, or for operators of all. */
export function AuditLogRoutes() {
  return (
    <Show
      when={isOperator()}
      fallback={<Route path={["/audit-log", "/audit-log/:id"]} component={lazy(() => import("./audit-log.tsx"))} />}
    >
      <Route
        path={["/operator-audit-log", "/operator-audit-log/:id"]}
        component={lazy(() => import("./operator-audit-log.tsx"))}
      />
    </Show>
  );
}

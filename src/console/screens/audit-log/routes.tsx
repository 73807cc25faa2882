import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** The audit log, one entry in the side panel: of this account, and for operators of all. */
export function AuditLogRoutes() {
  return (
    <>
      <Route path={["/audit-log", "/audit-log/:id"]} component={lazy(() => import("./audit-log.tsx"))} />
      <Route
        path={["/operator-audit-log", "/operator-audit-log/:id"]}
        component={lazy(() => import("./operator-audit-log.tsx"))}
      />
    </>
  );
}

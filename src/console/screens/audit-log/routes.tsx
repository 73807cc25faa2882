/** Nothing yet. */
export function AuditLogRoutes() {
  return <></>;
}

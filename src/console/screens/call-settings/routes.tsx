/** Nothing yet. */
export function CallSettingsRoutes() {
  return <></>;
}

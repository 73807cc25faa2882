/** Nothing yet. */
export function IntegrationRoutes() {
  return <></>;
}

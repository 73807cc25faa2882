/** Nothing yet. */
export function LimitsRoutes() {
  return <></>;
}

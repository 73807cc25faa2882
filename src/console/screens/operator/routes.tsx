/** Nothing yet. */
export function OperatorRoutes() {
  return <></>;
}

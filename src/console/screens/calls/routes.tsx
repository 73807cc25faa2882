/** Nothing yet. */
export function CallRoutes() {
  return <></>;
}

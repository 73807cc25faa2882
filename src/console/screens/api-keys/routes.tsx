/** Nothing yet. */
export function ApiKeyRoutes() {
  return <></>;
}

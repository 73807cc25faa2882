/** Nothing yet. */
export function ToolRoutes() {
  return <></>;
}

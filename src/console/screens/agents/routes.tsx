/** Nothing yet. */
export function AgentRoutes() {
  return <></>;
}

/** Nothing yet. */
export function PlaybookRoutes() {
  return <></>;
}

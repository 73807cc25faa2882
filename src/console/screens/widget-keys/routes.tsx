/** Nothing yet. */
export function WidgetKeyRoutes() {
  return <></>;
}

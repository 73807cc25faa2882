/** Nothing yet. */
export function TelephonyRoutes() {
  return <></>;
}

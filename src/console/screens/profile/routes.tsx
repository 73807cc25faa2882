/** Nothing yet. */
export function ProfileRoutes() {
  return <></>;
}

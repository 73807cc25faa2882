/** Nothing yet. */
export function DoNotCallRoutes() {
  return <></>;
}

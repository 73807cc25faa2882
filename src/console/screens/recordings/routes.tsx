/** Nothing yet. */
export function RecordingRoutes() {
  return <></>;
}

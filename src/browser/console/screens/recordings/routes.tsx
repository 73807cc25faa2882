import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Recordings, one of them in the side panel. */
export function RecordingRoutes() {
  return (
    <Route path="/recordings" component={lazy(() => import("./recordings.tsx"))}>
      <Route path="/" />
      <Route path="/:id" component={lazy(() => import("./recording-panel.tsx"))} />
    </Route>
  );
}

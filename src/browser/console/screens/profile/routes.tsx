import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Who is signed in. */
export function ProfileRoutes() {
  return <Route path="/profile" component={lazy(() => import("./profile.tsx"))} />;
}

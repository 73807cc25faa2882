import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Every screen, loaded when it is gone to. A route with `/:id` inside another shows a row in its list's side panel. */
export function Routes() {
  return (
    <>
      <Route path="/" component={lazy(() => import("./screens/overview/overview.tsx"))} />
      <Route path="/faqs" component={lazy(() => import("./screens/faqs/faqs.tsx"))}>
        <Route path="/" />
        <Route path="/:id" component={lazy(() => import("./screens/faqs/faq-panel.tsx"))} />
      </Route>
      <Route path="*" component={lazy(() => import("./screens/not-found.tsx"))} />
    </>
  );
}

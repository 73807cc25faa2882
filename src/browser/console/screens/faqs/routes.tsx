import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** FAQs, one of them in the side panel. */
export function FaqRoutes() {
  return (
    <Route path="/faqs" component={lazy(() => import("./faqs.tsx"))}>
      <Route path="/" />
      <Route path="/:id" component={lazy(() => import("./faq-panel.tsx"))} />
    </Route>
  );
}

import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Conversations, one of them in the side panel. */
export function ConversationRoutes() {
  return (
    <Route path="/conversations" component={lazy(() => import("./conversations.tsx"))}>
      <Route path="/" />
      <Route path="/:id" component={lazy(() => import("./conversation-panel.tsx"))} />
    </Route>
  );
}

import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Agents: the list, a new one, and one agent as a page whose tabs have addresses of their own. */
export function AgentRoutes() {
  return (
    <>
      <Route path="/agents" component={lazy(() => import("./agents.tsx"))} />
      <Route path="/agents/new" component={lazy(() => import("./new-agent.tsx"))} />
      <Route path="/agents/:id" component={lazy(() => import("./agent.tsx"))}>
        <Route path="/" component={lazy(() => import("./prompt/prompt.tsx"))} />
        <Route path="/settings" component={lazy(() => import("./settings/settings.tsx"))} />
        <Route path="/versions" component={lazy(() => import("./versions/versions.tsx"))} />
        <Route path="/knowledge" component={lazy(() => import("./knowledge/knowledge.tsx"))} />
        <Route path="/widget" component={lazy(() => import("./widget/widget.tsx"))} />
        <Route path="/talk" component={lazy(() => import("./talk/talk.tsx"))} />
      </Route>
    </>
  );
}

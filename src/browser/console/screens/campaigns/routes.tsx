import { Route } from "@solidjs/router";
import { lazy } from "solid-js";

/** Campaigns: the list, a new one, and one of them from its upload to its end. */
export function CampaignRoutes() {
  return (
    <>
      <Route path="/campaigns" component={lazy(() => import("./list/campaigns.tsx"))} />
      <Route path="/campaigns/new" component={lazy(() => import("./new/new-campaign.tsx"))} />
      <Route path="/campaigns/:id" component={lazy(() => import("./campaign.tsx"))}>
        <Route path={["/", "/contacts/:contactId"]} component={lazy(() => import("./board/board.tsx"))} />
        <Route path="/plan" component={lazy(() => import("./plan/plan.tsx"))} />
        <Route path="/import" component={lazy(() => import("./import/import-report.tsx"))} />
        <Route path="/settings" component={lazy(() => import("./settings/settings.tsx"))} />
      </Route>
    </>
  );
}

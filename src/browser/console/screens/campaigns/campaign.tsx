import { type RouteSectionProps, useLocation } from "@solidjs/router";
import { type JSX, Show } from "solid-js";
import { useQuery } from "../../api/use-query.ts";
import { board as t } from "../../texts/index.ts";
import { Failure, Loaded, Note } from "../../ui/feedback.tsx";
import { ById, Page, Tabs } from "../../ui/page.tsx";
import { CampaignActions } from "./board/campaign-actions.tsx";
import { PausedBecause } from "./board/paused-because.tsx";
import { StateLine } from "./board/state-line.tsx";
import { followCampaign, LiveCampaignProvider } from "./live/live-campaign.ts";
import { campaignById } from "./live/queries.ts";

export default function Campaign(props: RouteSectionProps) {
  return <ById>{(id) => <OneCampaign id={id}>{props.children}</OneCampaign>}</ById>;
}

function OneCampaign(props: { id: string; children: JSX.Element }) {
  const stored = useQuery(() => campaignById(props.id));
  const live = followCampaign(props.id, () => stored.data);
  const address = `/campaigns/${props.id}`;
  const location = useLocation();
  const tabs = () => [
    { label: t.tabs.board, href: address, isCurrent: location.pathname.includes(`${address}/contacts/`) },
    { label: t.tabs.plan, href: `${address}/plan` },
    { label: t.tabs.import, href: `${address}/import` },
    { label: t.tabs.settings, href: `${address}/settings` },
  ];
  return (
    <LiveCampaignProvider value={live}>
      <Loaded query={stored}>
        {(found) => {
          const campaign = () => live.campaign() ?? found();
          return (
            <Page
              title={found().name}
              wide
              lead={<StateLine campaign={campaign()} stream={live.stream()} />}
              actions={<CampaignActions campaign={campaign()} />}
            >
              <Show when={live.failure()}>
                {(failure) => (
                  <Show when={failure().status === 404} fallback={<Failure error={failure()} />}>
                    <Note tone="warn">{t.gone}</Note>
                  </Show>
                )}
              </Show>
              <PausedBecause campaign={campaign()} />
              <Tabs label={t.tabsLabel} tabs={tabs()} />
              {props.children}
            </Page>
          );
        }}
      </Loaded>
    </LiveCampaignProvider>
  );
}

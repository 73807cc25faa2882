import { Show } from "solid-js";
import { agentList, callLimits, campaignList, modelList, numberList, widgetKeyList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { overview as t } from "../../texts/index.ts";
import { Skeleton } from "../../ui/feedback.tsx";
import { useFilters } from "../../ui/filters.ts";
import { NoModel } from "../../ui/no-model.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { CallPlots } from "./call-plots.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { CallsNow, RunningCampaigns } from "./now.tsx";
import styles from "./overview.module.css";
import { callStatistics, installedIntegrations, recentConversations, refetched } from "./queries.ts";
import { RecentConversations } from "./recent-conversations.tsx";
import { windowNamed } from "./windows.ts";

export default function Overview() {
  const filters = useFilters("window");
  const window = () => windowNamed(filters.get("window"));
  const agents = useQuery(agentList);
  const limits = useQuery(() => refetched.often(callLimits()));
  const campaigns = useQuery(() => refetched.often(campaignList()));
  const integrations = useQuery(installedIntegrations);
  const numbers = useQuery(() => refetched.atTimes(numberList()));
  const keys = useQuery(() => refetched.atTimes(widgetKeyList()));
  const conversations = useQuery(recentConversations);
  const models = useQuery(modelList);
  const statistics = useQuery(() => callStatistics(window()));

  // Everything is requested at once and shown together, so that nothing moves. A failed request doesn't delay the
  // others.
  const all = [agents, limits, campaigns, integrations, numbers, keys, conversations, models, statistics];
  const isThere = () => all.every(({ isPending, failureCount }) => !isPending || failureCount > 0);

  return (
    <Page title={t.title}>
      <Show when={isThere()} fallback={<Waiting />}>
        <NoModel />
        <FirstSteps agents={agents} numbers={numbers} campaigns={campaigns} conversations={conversations} />
        <NeedsAttention
          campaigns={campaigns}
          integrations={integrations}
          numbers={numbers}
          limits={limits}
          agents={agents}
          keys={keys}
          models={models}
        />
        <div class={styles.now}>
          <CallsNow limits={limits} />
          <RunningCampaigns campaigns={campaigns} />
        </div>
        <CallPlots statistics={statistics} window={window()} onWindow={(name) => filters.set("window", name)} />
        <RecentConversations conversations={conversations} />
      </Show>
    </Page>
  );
}

function Waiting() {
  return (
    <>
      <Skeleton lines={2} />
      <div class={styles.now}>
        <Card>
          <Skeleton lines={5} />
        </Card>
        <Card>
          <Skeleton lines={5} />
        </Card>
      </div>
      <Card>
        <Skeleton lines={9} />
      </Card>
    </>
  );
}

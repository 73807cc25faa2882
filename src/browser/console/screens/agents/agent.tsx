import { type RouteSectionProps, useLocation } from "@solidjs/router";
import { Show } from "solid-js";
import { useQuery } from "../../api/use-query.ts";
import { agents as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Loaded } from "../../ui/feedback.tsx";
import { AudioLines } from "../../ui/icons.tsx";
import { differsByChannel } from "../../ui/in-service.ts";
import { AgentState, Channels } from "../../ui/in-service.tsx";
import { ById, Page, Tabs } from "../../ui/page.tsx";
import { AgentContext } from "./agent-context.ts";
import { LeftOutNote } from "./knowledge/left-out.tsx";
import { PublishBar } from "./publish/publish-bar.tsx";
import { PutIntoService } from "./publish/put-into-service.tsx";
import { agentById } from "./queries.ts";

/** Sub-pages of a tab, by the prefix of their addresses. */
const OPENED: Record<string, string[]> = { tests: ["tests/"] };

export default function AgentPage(props: RouteSectionProps) {
  return <ById>{(id) => <OneAgent id={id}>{props.children}</OneAgent>}</ById>;
}

function OneAgent(props: { id: string; children: RouteSectionProps["children"] }) {
  const agent = useQuery(() => agentById(props.id));
  const location = useLocation();
  const tabs = () =>
    Object.entries(t.tabs).map(([tab, label]) => ({
      label,
      href: tab === "prompt" ? `/agents/${props.id}` : `/agents/${props.id}/${tab}`,
      // A getter, so that the links aren't recreated when the address changes.
      get isCurrent() {
        return (OPENED[tab] ?? []).some((part) => location.pathname.includes(`/agents/${props.id}/${part}`));
      },
    }));
  const isTalking = () => location.pathname.endsWith("/talk");
  return (
    <Page
      title={agent.data?.name ?? t.one}
      lead={
        <Show when={agent.data}>
          {(found) => (
            <div class="lead">
              <AgentState of={found()} />
              <Show when={differsByChannel(found())}>
                <Channels of={found().in_service} />
              </Show>
              <span>{found().description}</span>
            </div>
          )}
        </Show>
      }
      actions={
        <Show when={!isTalking() && !agent.isError}>
          <LinkButton href={`/agents/${props.id}/talk`} icon={AudioLines}>
            {t.talkToIt}
          </LinkButton>
          <Show when={agent.data}>{(found) => <PutIntoService agent={found()} />}</Show>
        </Show>
      }
    >
      <Show when={!agent.isError}>
        <Tabs label={t.one} tabs={tabs()} />
      </Show>
      <Loaded query={agent}>
        {(found) => (
          <AgentContext.Provider value={found}>
            <PublishBar />
            <LeftOutNote />
            {props.children}
          </AgentContext.Provider>
        )}
      </Loaded>
    </Page>
  );
}

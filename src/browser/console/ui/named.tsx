import { A } from "@solidjs/router";
import { Match, Show, Switch } from "solid-js";
import type { Body } from "../api/client.ts";
import { agentList, apiKeyList, campaignList } from "../api/lists.ts";
import { useQuery } from "../api/use-query.ts";
import { history as t } from "../texts/index.ts";
import type { Option } from "./field.tsx";

interface Named {
  id: string;
  name: string;
}

/** Returns the resources whose names are looked up; undefined until they are loaded. */
type Names = () => Named[] | undefined;

export function useAgents(): () => Body<"Agent">[] | undefined {
  const agents = useQuery(agentList);
  return () => agents.data;
}

export function useCampaigns(): () => Body<"Campaign">[] | undefined {
  const campaigns = useQuery(campaignList);
  return () => campaigns.data?.campaigns;
}

export function useApiKeys(): () => Body<"ApiKey">[] | undefined {
  const keys = useQuery(apiKeyList);
  return () => keys.data;
}

/** Returns the options of a select field; undefined until the names are loaded. */
export function choicesOf(names: Names, none: string): Option[] | undefined {
  const options = names()?.map(({ id, name }) => ({ value: id, label: name }));
  return options && [{ value: "", label: none }, ...options.sort((a, b) => a.label.localeCompare(b.label))];
}

interface Target {
  id: string | null;
  /** Shows only the name, for use inside a link. */
  plain?: boolean | undefined;
}

export function AgentLink(props: Target) {
  return <NameLink {...props} names={useAgents()} folder="/agents" deleted={t.deletedAgent} />;
}

export function CampaignLink(props: Target) {
  return <NameLink {...props} names={useCampaigns()} folder="/campaigns" deleted={t.deletedCampaign} />;
}

export function ApiKeyLink(props: Target) {
  return <NameLink {...props} names={useApiKeys()} folder="/api-keys" deleted={t.deletedKey} />;
}

function NameLink(props: Target & { names: Names; folder: string; deleted: string }) {
  const found = () => props.names()?.find(({ id }) => id === props.id);
  return (
    <Show when={props.id} fallback={<span class="muted">–</span>}>
      <Switch fallback={<span class="muted">…</span>}>
        <Match when={found()}>
          {(named) => (
            <Show when={!props.plain} fallback={named().name}>
              <A href={`${props.folder}/${named().id}`}>{named().name}</A>
            </Show>
          )}
        </Match>
        <Match when={props.names()}>
          <span class="muted">{props.deleted}</span>
        </Match>
      </Switch>
    </Show>
  );
}

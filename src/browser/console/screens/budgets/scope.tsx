import { Match, Show, Switch } from "solid-js";
import { budgets as t } from "../../texts/index.ts";
import { AgentLink, ApiKeyLink, CampaignLink } from "../../ui/named.tsx";
import type { Budget } from "./queries.ts";

/**
 * The account, or the resource that a budget applies to by name. `plain`: without a link, because it is shown inside
 * one.
 */
export function ScopeOf(props: { of: Budget; plain?: boolean }) {
  const id = () => props.of.scope_id;
  return (
    <Show when={props.of.scope !== "account"} fallback={t.scopes.account}>
      <span class="muted">{t.scopes[props.of.scope]}</span>{" "}
      <Switch>
        <Match when={props.of.scope === "agent"}>
          <AgentLink id={id()} plain={props.plain} />
        </Match>
        <Match when={props.of.scope === "campaign"}>
          <CampaignLink id={id()} plain={props.plain} />
        </Match>
        <Match when={props.of.scope === "api_key"}>
          <ApiKeyLink id={id()} plain={props.plain} />
        </Match>
      </Switch>
    </Show>
  );
}

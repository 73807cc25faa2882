import { Match, Switch } from "solid-js";
import { budgets as t } from "../../texts/index.ts";
import { AgentLink } from "../../ui/named.tsx";
import { CopiedCode } from "../../ui/values.tsx";
import type { Budget } from "./queries.ts";

/** What a budget is for. */
export function ScopeOf(props: { of: Budget; plain?: boolean }) {
  return (
    <Switch fallback={t.scopes[props.of.scope]}>
      <Match when={props.of.scope === "agent" && !props.plain && props.of.scope_id}>
        {(id) => <AgentLink id={id()} />}
      </Match>
      <Match when={props.of.scope !== "agent" && props.of.scope_id}>
        {(id) => (
          <>
            {t.scopes[props.of.scope]} <CopiedCode text={id()} />
          </>
        )}
      </Match>
    </Switch>
  );
}

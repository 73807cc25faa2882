import { A } from "@solidjs/router";
import { Show } from "solid-js";
import { board as t } from "../../../texts/index.ts";
import { Note } from "../../../ui/feedback.tsx";
import type { Campaign } from "../live/campaign-events.ts";

/** Where the cause of a pause can be fixed. An address without a leading slash is relative to the campaign. */
const FIXED_AT: Partial<Record<string, { to: string; label: string }>> = {
  agent_missing: { to: "settings", label: t.tabs.settings },
  agent_archived: { to: "settings", label: t.tabs.settings },
  not_published: { to: "settings", label: t.tabs.settings },
  agent_version_missing: { to: "settings", label: t.tabs.settings },
  from_number_missing: { to: "settings", label: t.tabs.settings },
  from_number_outbound_disabled: { to: "/numbers", label: t.screens.numbers },
  credentials_gone: { to: "/carriers", label: t.screens.carriers },
  credentials_unavailable: { to: "/carriers", label: t.screens.carriers },
  carrier_auth: { to: "/carriers", label: t.screens.carriers },
  carrier_funds: { to: "/carriers", label: t.screens.carriers },
  carrier_caller_id: { to: "/numbers", label: t.screens.numbers },
  budget: { to: "/budgets", label: t.screens.budgets },
  no_model: { to: "/integrations", label: t.screens.integrations },
};

/** Why a campaign paused itself and where to fix that, or why a running one places no calls. */
export function PausedBecause(props: { campaign: Campaign }) {
  const reason = () => (props.campaign.status === "paused" ? props.campaign.status_reason : null);
  const address = (to: string) => (to.startsWith("/") ? to : `/campaigns/${props.campaign.id}/${to}`);
  const held = () => (props.campaign.status === "running" ? t.heldBecause(props.campaign.status_reason ?? "") : null);
  return (
    <>
      <Show when={held()}>{(sentence) => <Note tone="warn">{sentence()}</Note>}</Show>
      <Show when={reason()}>
        {(code) => (
          <Note tone="warn">
            <p>
              <strong>{t.pausedBecause(code())}</strong>{" "}
              <Show when={FIXED_AT[code()]}>{(link) => <A href={address(link().to)}>{link().label}</A>}</Show>
            </p>
          </Note>
        )}
      </Show>
    </>
  );
}

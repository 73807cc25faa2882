import { useLocation, useParams } from "@solidjs/router";
import { createSignal, Match, Show, Switch } from "solid-js";
import { formatNumber } from "../../texts/format.ts";
import { webhooks as t } from "../../texts/index.ts";
import { Note } from "../../ui/feedback.tsx";
import { Tabs } from "../../ui/page.tsx";
import { ResourcePanel } from "../../ui/resource-panel.tsx";
import { CopiedCode, Facts, Time } from "../../ui/values.tsx";
import { Actions } from "./actions.tsx";
import { Deliveries } from "./deliveries.tsx";
import { type Webhook, webhookById } from "./queries.ts";
import { NewSecret } from "./secret.tsx";
import { Settings } from "./settings.tsx";
import { State } from "./state.tsx";

export default function WebhookPanel() {
  /** A secret created on this page, and its webhook. */
  const [created, setCreated] = createSignal<{ id: string; secret: string }>();
  return (
    <ResourcePanel
      query={webhookById}
      one={t.one}
      title={({ url }) => url}
      lead={(found) => (
        <>
          <State of={found()} /> {found().description}
        </>
      )}
      closeTo="/webhooks"
      actions={(found) => <Actions webhook={found()} onSecret={(secret) => setCreated({ id: found().id, secret })} />}
    >
      {(found) => (
        <>
          <Show when={created()?.id === found().id && created()?.secret}>
            {(secret) => <NewSecret secret={secret()} />}
          </Show>
          <WebhookNotices webhook={found()} />
          <Parts webhook={found()} onSecret={(secret) => setCreated({ id: found().id, secret })} />
        </>
      )}
    </ResourcePanel>
  );
}

/** Notes about the state of a webhook and what to do. */
function WebhookNotices(props: { webhook: Webhook }) {
  return (
    <>
      <Show when={props.webhook.disabled_reason}>{(reason) => <Note tone="warn">{t.because[reason()]}</Note>}</Show>
      <Show when={props.webhook.status === "enabled" && props.webhook.failing_since}>
        <Note tone="warn">{t.failing}</Note>
      </Show>
      <Show when={props.webhook.missed > 0}>
        <Note tone="warn">{t.missed(props.webhook.missed)}</Note>
      </Show>
      <Show when={!props.webhook.content}>
        <Note>{t.masked}</Note>
      </Show>
      <Facts
        of={[
          [t.facts.lastDelivered, () => <Time at={props.webhook.last_delivery_at} />],
          [t.facts.failingSince, () => props.webhook.failing_since && <Time at={props.webhook.failing_since} />],
          [t.facts.behind, () => props.webhook.behind > 0 && t.events(props.webhook.behind)],
          [t.facts.missed, () => props.webhook.missed > 0 && formatNumber(props.webhook.missed)],
          [t.facts.rotating, () => props.webhook.secret_expires_at && <Time at={props.webhook.secret_expires_at} />],
          [t.facts.created, () => <Time at={props.webhook.created_at} />],
          [t.facts.id, () => <CopiedCode text={props.webhook.id} />],
        ]}
      />
    </>
  );
}

function Parts(props: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const params = useParams<{ id: string; part?: string }>();
  const location = useLocation();
  const tab = (label: string, part: string) => ({ label, href: `/webhooks/${params.id}${part}${location.search}` });
  return (
    <>
      <Tabs label={t.one} tabs={[tab(t.parts.deliveries, ""), tab(t.parts.settings, "/settings")]} />
      <Switch fallback={<Deliveries webhook={props.webhook} />}>
        <Match when={params.part === "settings"}>
          <Settings webhook={props.webhook} onSecret={props.onSecret} />
        </Match>
      </Switch>
    </>
  );
}

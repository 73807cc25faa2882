import { A, useNavigate } from "@solidjs/router";
import { createSignal, For, Match, Show, Switch } from "solid-js";
import { ApiFailure, api, data } from "../../../api/client.ts";
import { formatAhead } from "../../../texts/format.ts";
import { campaignPlan as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { confirm } from "../../../ui/confirm.tsx";
import { Failure, Note } from "../../../ui/feedback.tsx";
import { Play } from "../../../ui/icons.tsx";
import { Section } from "../../../ui/page.tsx";
import { notify } from "../../../ui/toast.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { campaignsChanged, type Plan } from "../live/queries.ts";
import { isAtRest, isImporting } from "../live/state.ts";
import styles from "./plan.module.css";

type Warning = Plan["warnings"][number];

/** Warnings that always prevent a start. */
const BLOCKING: Warning["code"][] = ["incomplete", "agent_archived", "not_published", "no_runtime", "no_model"];

/** What to check before a campaign starts, each with a link to fix it, and the start button. */
export function Preflight(props: { campaign: Campaign; plan: Plan; reload: () => unknown }) {
  const navigate = useNavigate();
  const [busy, setBusy] = createSignal(false);
  const [failure, setFailure] = createSignal<unknown>();
  const warnings = () => props.plan.warnings;
  const isBlocked = () => warnings().some(({ code }) => BLOCKING.includes(code));
  const isPaused = () => props.campaign.status === "paused";
  const canStart = () => isAtRest(props.campaign);

  /** The number of waiting contacts that aren't on the do-not-call list. */
  const called = () => Math.max(0, props.campaign.counts.pending - props.plan.waiting.do_not_call);

  const question = () => {
    const verb = isPaused() ? t.resume : t.start;
    if (warnings().length > 0) return { title: t.anywayTitle, body: t.anywayBody(called()), verb, danger: true };
    const at = props.plan.next_dial_at;
    return {
      title: t.startTitle,
      body: t.startBody(called(), at && formatAhead(at, Date.now())),
      verb,
    };
  };
  const start = async () => {
    // The plan may be reloaded while the question is open. A warning that the user hasn't seen must prevent the start.
    const seen = warnings().map(({ message }) => message);
    if (!(await confirm(question()))) return;
    if (warnings().some(({ message }) => !seen.includes(message))) return setFailure(new Error(t.cameUp));
    setBusy(true);
    setFailure(undefined);
    try {
      const query = { strict: seen.length === 0 ? "true" : "false" } as const;
      const request = { params: { path: { id: props.campaign.id }, query } };
      if (isPaused()) await data(api.POST("/api/v1/campaigns/{id}/resume", request));
      else await data(api.POST("/api/v1/campaigns/{id}/start", request));
      notify(t.started);
      navigate(`/campaigns/${props.campaign.id}`);
      await campaignsChanged();
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 409) await props.reload();
      // The reloaded plan shows the new problem with a link to fix it.
      setFailure(error instanceof ApiFailure && error.code === "preflight_warnings" ? new Error(t.cameUp) : error);
    } finally {
      setBusy(false);
    }
  };
  const title = () => {
    if (isImporting(props.campaign)) return t.importing;
    if (props.campaign.status === "running") return t.running;
    if (!canStart()) return t.over;
    if (isBlocked()) return t.blocked;
    return warnings().length > 0 ? t.warned(warnings().length) : t.ready;
  };
  const verb = () => {
    if (warnings().length === 0) return isPaused() ? t.resume : t.start;
    return isPaused() ? t.resumeAnyway : t.startAnyway;
  };
  return (
    <Section title={title()}>
      <Show when={canStart() && !isImporting(props.campaign) && warnings().length === 0}>
        <p>{t.readyLead(called())}</p>
      </Show>
      <For each={warnings()}>
        {(warning) => (
          <Note tone="warn">
            <strong>{t.warnings.title[warning.code]}</strong>
            <p>{sentenceOf(warning, props.campaign, props.plan)}</p>
            <p>
              <FixLink code={warning.code} campaign={props.campaign} />
            </p>
          </Note>
        )}
      </For>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <Switch>
        <Match when={canStart() && isBlocked()}>
          <p class="muted">{t.cannot}</p>
        </Match>
        <Match when={canStart()}>
          <div>
            <Button
              needs="startCampaign"
              kind={warnings().length === 0 ? "primary" : "danger"}
              icon={Play}
              busy={busy()}
              disabled={isImporting(props.campaign)}
              onClick={() => void start()}
            >
              {verb()}
            </Button>
          </div>
        </Match>
      </Switch>
    </Section>
  );
}

function FixLink(props: { code: Warning["code"]; campaign: Campaign }) {
  const own = (tab: string) => `/campaigns/${props.campaign.id}/${tab}`;
  const agent = () => (props.campaign.agent_id ? `/agents/${props.campaign.agent_id}` : "/agents");
  const addresses: Record<Warning["code"], () => string> = {
    incomplete: () => own("settings"),
    agent_archived: agent,
    not_published: agent,
    agent_draft: agent,
    no_runtime: () => "/numbers",
    no_model: () => "/integrations",
    no_timezone: () => own("settings"),
    no_account_timezone: () => "/account",
    unused_time_zones: () => own("import"),
    missing_variables: agent,
    long_values: agent,
    context_left_out: () => (props.campaign.agent_id ? `${agent()}/knowledge` : agent()),
    language_without_phrases: () => (props.campaign.agent_id ? `${agent()}/settings` : agent()),
    setting_without_effect: () => (props.campaign.agent_id ? `${agent()}/settings` : agent()),
    disclosure_language: () => "/call-settings",
    destination_not_allowed: () => "/call-settings",
    caps: () => "/limits",
  };
  return (
    <span class={styles.ways}>
      <A href={addresses[props.code]()}>{t.fix[props.code]}</A>
      <Show when={props.code === "missing_variables"}>
        <A href={own("import")}>{t.addColumns}</A>
      </Show>
    </span>
  );
}

/** Returns the console's text for a warning, otherwise the service's. */
function sentenceOf({ code, message }: Warning, { agent_id, from_number }: Campaign, { timezones }: Plan): string {
  if (code === "incomplete" && agent_id === null && from_number === null) return t.warnings.unset.both;
  if (code === "incomplete" && agent_id === null) return t.warnings.unset.agent;
  if (code === "incomplete" && from_number === null) return t.warnings.unset.number;
  const byCampaign = timezones.find(({ source }) => source === "campaign");
  if (code === "no_timezone" && byCampaign?.timezone)
    return t.warnings.noTimezone(byCampaign.contacts, byCampaign.timezone);
  const words = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

import { useLocation, useNavigate } from "@solidjs/router";
import { createSignal, Match, Show, Switch } from "solid-js";
import { api, data } from "../../../api/client.ts";
import { board as t } from "../../../texts/index.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { confirm } from "../../../ui/confirm.tsx";
import { CircleStop, Pause, Play, RotateCcw } from "../../../ui/icons.tsx";
import { notify, notifyFailure } from "../../../ui/toast.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { campaignsChanged } from "../live/queries.ts";
import { isAtRest, isImporting, isOpen } from "../live/state.ts";
import { CallNotReached } from "./call-not-reached.tsx";
import { Redial } from "./redial.tsx";

/** The actions available for a campaign, the next step first. */
export function CampaignActions(props: { campaign: Campaign }) {
  const navigate = useNavigate();
  const location = useLocation();
  /** The screen where a draft is started. The button that leads there is hidden there. */
  const plan = () => `/campaigns/${props.campaign.id}/plan`;
  const [busy, setBusy] = createSignal(false);
  const [isRedialling, setRedialling] = createSignal(false);
  const request = () => ({ params: { path: { id: props.campaign.id } } });
  const status = () => props.campaign.status;

  const carryOut = async (work: () => Promise<unknown>, confirmation: string) => {
    setBusy(true);
    try {
      await work();
      notify(confirmation);
      await campaignsChanged();
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const pause = () => carryOut(() => data(api.POST("/api/v1/campaigns/{id}/pause", request())), t.pausing);
  const resume = () => carryOut(() => data(api.POST("/api/v1/campaigns/{id}/resume", request())), t.resumed);
  const stop = async () => {
    const { pending } = props.campaign.counts;
    const question = { title: t.stopTitle, body: t.stopBody(pending), verb: t.stopVerb, danger: true };
    if (!(await confirm(question))) return;
    await carryOut(() => data(api.POST("/api/v1/campaigns/{id}/stop", request())), t.stopped);
  };
  const canRedial = () => (status() === "paused" || status() === "completed") && props.campaign.counts.failed > 0;

  return (
    <>
      <Switch>
        <Match when={status() === "draft" && location.pathname.endsWith(plan())}>{null}</Match>
        <Match when={status() === "draft"}>
          <Button
            needs="startCampaign"
            kind="primary"
            icon={Play}
            disabled={isImporting(props.campaign)}
            onClick={() => navigate(plan())}
          >
            {t.review}
          </Button>
        </Match>
        <Match when={status() === "running"}>
          <Button needs="pauseCampaign" kind="primary" icon={Pause} busy={busy()} onClick={pause}>
            {t.pause}
          </Button>
        </Match>
        <Match when={status() === "paused"}>
          <Button needs="resumeCampaign" kind="primary" icon={Play} busy={busy()} onClick={resume}>
            {t.resume}
          </Button>
        </Match>
        <Match when={status() === "stopped"}>
          <CallNotReached campaign={props.campaign} />
        </Match>
      </Switch>
      <Show when={canRedial()}>
        <Button needs="redialCampaign" icon={RotateCcw} onClick={() => setRedialling(true)}>
          {t.redial.action}
        </Button>
      </Show>
      <Show when={isAtRest(props.campaign)}>
        <LinkButton needs="addCampaignContacts" href={`/campaigns/${props.campaign.id}/import`}>
          {t.addContacts}
        </LinkButton>
      </Show>
      <Show when={isOpen(props.campaign)}>
        <Button needs="stopCampaign" kind="danger" icon={CircleStop} disabled={busy()} onClick={stop}>
          {t.stop}
        </Button>
      </Show>
      <Show when={isRedialling()}>
        <Redial campaign={props.campaign} onClose={() => setRedialling(false)} />
      </Show>
    </>
  );
}

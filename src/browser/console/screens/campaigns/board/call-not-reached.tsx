import { useNavigate } from "@solidjs/router";
import { createEffect, createSignal, on, Show } from "solid-js";
import { api, data } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { board as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { RotateCcw } from "../../../ui/icons.tsx";
import { notify, notifyFailure } from "../../../ui/toast.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { campaignsChanged, countedChoices, NOT_REACHED } from "../live/queries.ts";

const MAX_NAME_CHARS = 200;

/** Creates a draft with the contacts that a stopped campaign didn't reach, and opens its plan. */
export function CallNotReached(props: { campaign: Campaign }) {
  const navigate = useNavigate();
  const [busy, setBusy] = createSignal(false);
  const counts = useQuery(() => countedChoices(props.campaign.id));
  // Calls in progress end after the campaign stopped.
  createEffect(
    on([() => props.campaign.counts.failed, () => props.campaign.counts.completed], () => void counts.refetch(), {
      defer: true,
    }),
  );
  const people = () => NOT_REACHED.reduce((sum, choice) => sum + (counts.data?.[choice] ?? 0), 0);
  const call = async () => {
    setBusy(true);
    try {
      const name = t.notReachedName(props.campaign.name).slice(0, MAX_NAME_CHARS);
      const request = { params: { path: { id: props.campaign.id } }, body: { name, contacts: NOT_REACHED } };
      const draft = await data(api.POST("/api/v1/campaigns/{id}/clone", request));
      await campaignsChanged();
      notify(t.notReachedDraft);
      navigate(`/campaigns/${draft.id}/plan`);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Show when={people() > 0}>
      <Button needs="cloneCampaign" kind="primary" icon={RotateCcw} busy={busy()} onClick={call}>
        {t.callNotReached(people())}
      </Button>
    </Show>
  );
}

import { createSignal, For } from "solid-js";
import { api, data } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { formatNumber } from "../../../texts/format.ts";
import { board as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure, Loaded } from "../../../ui/feedback.tsx";
import { CheckField } from "../../../ui/fields.tsx";
import { notify } from "../../../ui/toast.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { campaignsChanged, FAILED_OUTCOMES, type FailedOutcome, failedByOutcome } from "../live/queries.ts";

/** Outcomes that the service redials only if named, so they are not preselected. */
const NAMED_ONLY: FailedOutcome[] = ["unknown", "do_not_call"];

export function Redial(props: { campaign: Campaign; onClose: () => void }) {
  const failed = useQuery(() => failedByOutcome(props.campaign.id));
  const [left, setLeft] = createSignal<FailedOutcome[]>(NAMED_ONLY);
  const [busy, setBusy] = createSignal(false);
  const [failure, setFailure] = createSignal<unknown>();
  const counts = () => failed.data ?? {};
  const there = () => FAILED_OUTCOMES.filter((outcome) => counts()[outcome] !== 0);
  const chosen = () => there().filter((outcome) => !left().includes(outcome));
  /** Null if there are too many to count. */
  const people = () =>
    chosen().reduce<number | null>((sum, outcome) => {
      const count = counts()[outcome];
      return sum === null || count == null ? null : sum + count;
    }, 0);
  const choose = (outcome: FailedOutcome, isChosen: boolean) =>
    setLeft((before) => (isChosen ? before.filter((each) => each !== outcome) : [...before, outcome]));
  const redial = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const request = { params: { path: { id: props.campaign.id } }, body: { outcomes: chosen() } };
      const { contacts } = await data(api.POST("/api/v1/campaigns/{id}/redial", request));
      notify(t.redial.done(contacts));
      props.onClose();
      await campaignsChanged();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t.redial.title}
      onClose={() => props.onClose()}
      footer={
        <Button kind="primary" busy={busy()} disabled={!failed.data || chosen().length === 0} onClick={redial}>
          {t.redial.verb(people())}
        </Button>
      }
    >
      <p>{t.redial.lead}</p>
      <Loaded query={failed}>
        {() => (
          <fieldset>
            <legend class="visually-hidden">{t.redial.title}</legend>
            <For each={there()}>
              {(outcome) => (
                <CheckField
                  label={outcomeAndCount(outcome, counts()[outcome])}
                  hint={
                    outcome === "do_not_call"
                      ? t.redial.doNotCall
                      : outcome === "unknown"
                        ? t.redial.unknown
                        : undefined
                  }
                  value={!left().includes(outcome)}
                  onInput={(isChosen) => choose(outcome, isChosen)}
                />
              )}
            </For>
          </fieldset>
        )}
      </Loaded>
      <p class="muted">{props.campaign.status === "completed" ? t.redial.opens : t.redial.waits}</p>
      {failure() !== undefined && <Failure error={failure()} />}
    </Dialog>
  );
}

function outcomeAndCount(outcome: FailedOutcome, count: number | null | undefined): string {
  return `${t.outcomes[outcome]}: ${count == null ? t.many : formatNumber(count)}`;
}

import { For, Show } from "solid-js";
import { campaignList, widgetKeyList } from "../../../api/lists.ts";
import { may } from "../../../api/may.ts";
import type { Answer } from "../../../api/queries.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agentVersions } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Loaded, Skeleton } from "../../../ui/feedback.tsx";
import { groupedNumber } from "../../../ui/phone-number.ts";
import { useAgent } from "../agent-context.ts";
import { numbersOfAgent } from "../queries.ts";
import styles from "./settings.module.css";

const { versioning: t } = agentVersions;

/** Asks how to turn on drafts for an agent that was never published, and lists what would stop working. */
export function TurnOnDrafts(props: { onClose: () => void; onSwitch: (isPublishedFirst: boolean) => void }) {
  const agent = useAgent();
  const numbers = useQuery(() => numbersOfAgent(agent().id));
  const campaigns = useQuery(campaignList);
  const keys = useQuery(widgetKeyList);
  /** Any query that is loading or has failed, because the list must not look complete without it. */
  const listed = (): Answer<object> => [numbers, campaigns, keys].find(({ data }) => data === undefined) ?? numbers;
  const isDraft = () => agent().status === "draft";
  const concerned = () => {
    const { id, in_service } = agent();
    const calling = (campaigns.data?.campaigns ?? []).filter(
      ({ agent_id, agent_version, status }) => agent_id === id && agent_version === "live" && status === "running",
    );
    const answered = in_service.phone.ready ? (numbers.data?.numbers ?? []) : [];
    const shown = (keys.data ?? []).filter(({ agent_id, disabled_at }) => agent_id === id && disabled_at === null);
    return [
      ...answered.flatMap(({ e164, inbound_enabled }) =>
        inbound_enabled ? [t.toManualNumber(groupedNumber(e164))] : [],
      ),
      ...calling.map(({ name }) => t.toManualCampaign(name)),
      ...shown.map(({ name }) => t.toManualWidget(name)),
    ];
  };
  return (
    <Dialog
      role="alertdialog"
      title={t.toManualTitle}
      onClose={props.onClose}
      footer={
        <Show
          when={!isDraft()}
          fallback={
            <Button kind="primary" onClick={() => props.onSwitch(false)}>
              {t.toManualDraftVerb}
            </Button>
          }
        >
          <Button kind="danger" onClick={() => props.onSwitch(false)}>
            {t.toManualVerb}
          </Button>
          <Show when={may("publishAgent")}>
            <Button kind="primary" onClick={() => props.onSwitch(true)}>
              {t.toManualPublish}
            </Button>
          </Show>
        </Show>
      }
    >
      <p>{isDraft() ? t.toManualDraftBody : t.toManualBody}</p>
      <Loaded query={listed()} skeleton={<Skeleton lines={2} />}>
        {() => (
          <Show when={concerned().length > 0}>
            <p>{t.toManualConcerned}</p>
            <ul class={styles.losses}>
              <For each={concerned()}>{(words) => <li>{words}</li>}</For>
            </ul>
          </Show>
        )}
      </Loaded>
    </Dialog>
  );
}

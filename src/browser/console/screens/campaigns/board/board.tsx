import { useParams } from "@solidjs/router";
import { Show } from "solid-js";
import { ListAndPanel } from "../../../ui/page.tsx";
import { ContactPanel } from "../contacts/contact-panel.tsx";
import { Contacts } from "../contacts/contacts.tsx";
import { useLiveCampaign } from "../live/live-campaign.ts";
import styles from "./board.module.css";
import { CallsNow } from "./calls-now.tsx";
import { OverTime } from "./over-time.tsx";
import { Progress } from "./progress.tsx";
import { WhyTheyWait } from "./waiting.tsx";

export default function Board() {
  const params = useParams<{ id: string; contactId?: string }>();
  return (
    <div class={styles.board} data-open={params.contactId === undefined ? undefined : "contact"}>
      <Summary />
      <ListAndPanel
        isOpen={params.contactId !== undefined}
        list={<Contacts campaignId={params.id} />}
        panel={
          <Show when={params.contactId} keyed>
            {(contactId) => <ContactPanel campaignId={params.id} contactId={contactId} />}
          </Show>
        }
      />
    </div>
  );
}

function Summary() {
  const { campaign } = useLiveCampaign();
  const wasStarted = () => campaign()?.started_at !== null || campaign()?.status === "running";
  const isCalling = () => campaign()?.status === "running" || campaign()?.status === "paused";
  return (
    <Show when={campaign()}>
      {(found) => (
        <div class={styles.summary}>
          <Progress campaign={found()} />
          <Show when={wasStarted()}>
            <div class={styles.cards}>
              <OverTime campaign={found()} />
              <Show when={isCalling()}>
                <div class={styles.stack}>
                  <CallsNow campaign={found()} />
                  <Show when={found().counts.pending > 0}>
                    <WhyTheyWait campaign={found()} />
                  </Show>
                </div>
              </Show>
            </div>
          </Show>
        </div>
      )}
    </Show>
  );
}

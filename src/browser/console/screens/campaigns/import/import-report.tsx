import { useParams } from "@solidjs/router";
import { createSignal, For, Match, Show, Switch } from "solid-js";
import { ask } from "../../../api/client.ts";
import { may } from "../../../api/may.ts";
import { useQuery } from "../../../api/use-query.ts";
import { importReport as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { saveAs } from "../../../ui/download.ts";
import { Loaded, Note } from "../../../ui/feedback.tsx";
import { Download } from "../../../ui/icons.tsx";
import { Section } from "../../../ui/page.tsx";
import { notifyFailure } from "../../../ui/toast.tsx";
import { assumedInWords } from "../file/assumed.ts";
import { createContactList } from "../file/contact-list.ts";
import styles from "../file/file.module.css";
import { Counts } from "../file/rows.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { campaignById } from "../live/queries.ts";
import { isAtRest, isImporting } from "../live/state.ts";
import { AddContacts } from "./add-contacts.tsx";

const REFETCH_INTERVAL_MS = 1_000;

/** The report on a campaign's uploads, with a form to add more. */
export default function ImportReport() {
  const params = useParams<{ id: string }>();
  const campaign = useQuery(() => ({
    ...campaignById(params.id),
    refetchInterval: ({ state }) => (state.data && isImporting(state.data) ? REFETCH_INTERVAL_MS : false),
  }));
  return <Loaded query={campaign}>{(found) => <Report campaign={found()} />}</Loaded>;
}

function Report(props: { campaign: Campaign }) {
  const list = createContactList();
  const [busy, setBusy] = createSignal<string>();
  const counts = () => props.campaign.import;
  const total = () => counts().accepted + counts().rejected + counts().duplicates;

  const fetched = async (what: "rejects" | "duplicates", use: (csv: Blob) => void) => {
    setBusy(what);
    try {
      use(
        await (
          await ask(`/api/v1/campaigns/${props.campaign.id}/${what}?for=spreadsheet`, {
            headers: { accept: "text/csv" },
          })
        ).blob(),
      );
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  const mayFix = () => may("exportCampaignRejects") && may("addCampaignContacts");
  const fixHere = (csv: Blob) => {
    void list.choose(new File([csv], t.rejectsFile(props.campaign.name), { type: "text/csv" }));
    document.getElementById("add-contacts")?.scrollIntoView();
  };
  return (
    <>
      <Section title={t.title}>
        <Counts
          counts={[
            { count: counts().accepted, words: t.accepted },
            { count: counts().rejected, words: t.rejected, tone: "bad" },
            { count: counts().duplicates, words: t.duplicates, tone: "warn" },
          ]}
        />
        <Switch>
          <Match when={isImporting(props.campaign)}>
            <p role="status">{t.reading(counts().accepted)}</p>
          </Match>
          <Match when={total() === 0}>
            <p class="muted">{t.empty}</p>
          </Match>
          <Match when={counts().rejected + counts().duplicates === 0}>
            <p class="muted">{t.allIn(counts().accepted)}</p>
          </Match>
        </Switch>
        <For each={counts().assumed}>{(assumed) => <p>{assumedInWords(assumed)}</p>}</For>
      </Section>
      <Show when={!isImporting(props.campaign) && counts().rejected > 0}>
        <Section title={t.rejects.title}>
          <p>
            {t.rejects.lead(counts().rejected)} {mayFix() ? t.rejects.howToFix : ""}
          </p>
          <div class={styles.buttonRow}>
            <Button
              needs="exportCampaignRejects"
              icon={Download}
              busy={busy() === "rejects"}
              onClick={() => fetched("rejects", (csv) => saveAs(csv, t.rejectsFile(props.campaign.name)))}
            >
              {t.rejects.download}
            </Button>
            <Show when={canAdd(props.campaign) && mayFix()}>
              <Button
                needs="exportCampaignRejects"
                busy={busy() === "rejects"}
                onClick={() => fetched("rejects", fixHere)}
              >
                {t.rejects.fixHere}
              </Button>
            </Show>
          </div>
        </Section>
      </Show>
      <Show when={!isImporting(props.campaign) && counts().duplicates > 0}>
        <Section title={t.repeated.title}>
          <p>{t.repeated.lead(counts().duplicates)}</p>
          <div>
            <Button
              needs="exportCampaignDuplicates"
              icon={Download}
              busy={busy() === "duplicates"}
              onClick={() => fetched("duplicates", (csv) => saveAs(csv, t.repeatedFile(props.campaign.name)))}
            >
              {t.repeated.download}
            </Button>
          </div>
        </Section>
      </Show>
      <div id="add-contacts" class={styles.adding} hidden={!may("addCampaignContacts")}>
        <Show
          when={canAdd(props.campaign)}
          fallback={
            <Section title={t.add.title}>
              <Note>
                <p>{whyNot(props.campaign)}</p>
              </Note>
            </Section>
          }
        >
          <AddContacts campaign={props.campaign} list={list} />
        </Show>
      </div>
    </>
  );
}

const canAdd = (campaign: Campaign) => isAtRest(campaign) && !isImporting(campaign);

function whyNot(campaign: Campaign): string {
  if (isImporting(campaign)) return t.add.importing;
  return campaign.status === "running" ? t.add.running : t.add.over;
}

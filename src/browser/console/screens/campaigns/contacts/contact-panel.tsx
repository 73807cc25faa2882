import { createEffect, createMemo, createSignal, Match, on, Show, Switch } from "solid-js";
import { api, data } from "../../../api/client.ts";
import { may, seesContacts, seesContent } from "../../../api/may.ts";
import { useQuery } from "../../../api/use-query.ts";
import { formatExact, formatName } from "../../../texts/format.ts";
import { analysis, codeInWords, board as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { confirm } from "../../../ui/confirm.tsx";
import { Loaded, Note } from "../../../ui/feedback.tsx";
import { Ban } from "../../../ui/icons.tsx";
import { Hidden } from "../../../ui/not-allowed.tsx";
import { Section, SidePanel } from "../../../ui/page.tsx";
import { groupedNumber } from "../../../ui/phone-number.ts";
import { notify, notifyFailure } from "../../../ui/toast.tsx";
import { Badge, Copy, Facts, Time } from "../../../ui/values.tsx";
import { VerdictBadge } from "../../../ui/verdict.tsx";
import { useLiveCampaign } from "../live/live-campaign.ts";
import { type ContactDetail, contactById } from "../live/queries.ts";
import { isAtRest, isOpen } from "../live/state.ts";
import { Attempts } from "./attempts.tsx";
import { CorrectContact } from "./correct-contact.tsx";
import { stateOf, TONES } from "./shown-contact.ts";

export function ContactPanel(props: { campaignId: string; contactId: string }) {
  const live = useLiveCampaign();
  const contact = useQuery(() => contactById(props.campaignId, props.contactId));
  const latestEvent = createMemo(() => live.board()?.changes.get(props.contactId)?.seq);
  const status = createMemo(() => live.campaign()?.status ?? "draft");
  createEffect(on([latestEvent, status], () => void contact.refetch(), { defer: true }));
  const [busy, setBusy] = createSignal(false);

  const cancel = async () => {
    const found = contact.data;
    if (!found) return;
    const question = {
      title: t.contact.cancelTitle,
      body: t.contact.cancelBody(groupedNumber(found.phone_number)),
      verb: t.contact.cancelVerb,
      cancel: t.contact.keep,
      danger: true,
    };
    if (!(await confirm(question))) return;
    setBusy(true);
    try {
      const path = { id: props.campaignId, contactId: props.contactId };
      await data(api.POST("/api/v1/campaigns/{id}/contacts/{contactId}/cancel", { params: { path } }));
      notify(t.contact.cancelled);
      await contact.refetch();
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const canCancel = () => contact.data?.status === "pending" && isOpen({ status: status() });
  const canCorrect = (found: ContactDetail) =>
    found.status === "pending" && isAtRest({ status: status() }) && may("correctCampaignContact");
  const title = () => {
    const found = contact.data;
    return found ? groupedNumber(found.phone_number) : t.contact.title;
  };
  return (
    <SidePanel
      title={title()}
      closeTo={`/campaigns/${props.campaignId}`}
      actions={
        canCancel() ? (
          <Button needs="cancelCampaignContact" small kind="danger" icon={Ban} busy={busy()} onClick={cancel}>
            {t.contact.cancel}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={contact}>
        {(found) => (
          <>
            <Show when={found().waiting_for}>{(words) => <Note>{sentence(words())}</Note>}</Show>
            <Facts
              of={[
                [t.contacts.columns.state, () => <Badge tone={TONES[found().status]}>{stateOf(found())}</Badge>],
                [
                  t.contact.number,
                  () => [found().phone_number, " ", seesContacts() && <Copy text={found().phone_number} />],
                ],
                [t.contacts.columns.why, () => reasonOf(found())],
                [t.contact.again, () => found().next_attempt_at && <Time at={found().next_attempt_at} />],
                [t.contact.disposition, () => (seesContent() ? codeInWords(found().disposition ?? "") : <Hidden />)],
                [
                  analysis.contact.successful,
                  () => <Show when={found().successful}>{(verdict) => <VerdictBadge of={verdict()} />}</Show>,
                ],
                [t.contact.timezone, () => found().timezone],
                [t.contacts.columns.changed, () => <Time at={found().updated_at} />],
              ]}
            />
            <Learned contact={found()} />
            <Section title={t.contact.calls}>
              <Attempts attempts={found().attempts} />
            </Section>
            <Section title={canCorrect(found()) ? t.contact.correct : t.contact.variables}>
              <Show when={canCorrect(found())} fallback={<Variables contact={found()} />}>
                <CorrectContact campaignId={props.campaignId} contact={found()} />
              </Show>
            </Section>
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

function Learned(props: { contact: ContactDetail }) {
  const values = () => Object.entries(props.contact.data ?? {});
  return (
    <>
      <Show when={props.contact.summary}>
        {(words) => (
          <Section title={analysis.contact.summary}>
            <p>{words()}</p>
          </Section>
        )}
      </Show>
      <Show when={values().length > 0}>
        <Section title={analysis.contact.values}>
          <Facts of={values().map(([name, value]) => [formatName(name), () => analysis.value(value)])} />
        </Section>
      </Show>
    </>
  );
}

function Variables(props: { contact: ContactDetail }) {
  const named = () => Object.entries(props.contact.variables ?? {});
  return (
    <Switch fallback={<p class="muted">{t.contact.noVariables}</p>}>
      <Match when={props.contact.variables === null}>
        <Hidden contacts />
      </Match>
      <Match when={named().length > 0}>
        <Facts of={named().map(([name, value]) => [name, () => value || "–"])} />
      </Match>
    </Switch>
  );
}

function reasonOf({ failure_reason, outcome }: ContactDetail): string | undefined {
  if (failure_reason === null || failure_reason === outcome) return undefined;
  return codeInWords(failure_reason);
}

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Returns the service's text about a contact, with times in the reader's format. */
function sentence(words: string): string {
  const localized = words.replace(TIME, (at) => formatExact(at));
  return t.contact.waits(localized);
}

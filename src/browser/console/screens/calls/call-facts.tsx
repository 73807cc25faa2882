import { A } from "@solidjs/router";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { formatDuration } from "../../texts/format.ts";
import { codeInWords, calls as t } from "../../texts/index.ts";
import { AgentLink, CampaignLink } from "../../ui/named.tsx";
import { Hidden } from "../../ui/not-allowed.tsx";
import { Section } from "../../ui/page.tsx";
import { CopiedCode, Facts, PhoneNumber, Time } from "../../ui/values.tsx";
import styles from "./calls.module.css";
import { outcomeInWords } from "./words.ts";

type Call = Body<"Call">;

/** The service's own notes in a call's metadata. The client set all others. */
const SHOWN_ELSEWHERE = ["answered_by", "hangup_requested", "message_left", "carrier_reason"];

export function CallFacts(props: { call: Call }) {
  const fieldOf = (name: string) => props.call.metadata?.[name];
  return (
    <>
      <div>
        <p class={styles.outcome}>{outcomeInWords(props.call)}</p>
        <Show when={typeof fieldOf("carrier_reason") === "string"}>
          <p class="muted">{t.carrierMessage(codeInWords(String(fieldOf("carrier_reason"))))}</p>
        </Show>
        <Show when={fieldOf("message_left") === true}>
          <p class="muted">{t.facts.messageLeft}</p>
        </Show>
      </div>
      <Section title={t.details}>
        <Facts
          of={[
            [t.facts.from, () => <PhoneNumber e164={props.call.from_number} />],
            [t.facts.to, () => <PhoneNumber e164={props.call.to_number} />],
            [t.facts.agent, () => <AgentLink id={props.call.agent_id} />],
            [t.facts.campaign, () => props.call.campaign_id && <CampaignLink id={props.call.campaign_id} />],
            [
              props.call.direction === "inbound" ? t.facts.cameIn : t.facts.created,
              () => <Time at={props.call.started_at ?? props.call.created_at} />,
            ],
            [t.facts.connected, () => <Time at={props.call.connected_at} />],
            [t.facts.ended, () => <Time at={props.call.ended_at} />],
            [
              t.facts.duration,
              () => props.call.duration_ms !== null && formatDuration((props.call.duration_ms ?? 0) / 1000),
            ],
            [t.facts.answeredBy, () => answeredBy(fieldOf("answered_by"))],
            [
              t.facts.recording,
              () => (
                <Show
                  when={props.call.recording_id}
                  fallback={<span class="muted">{withoutRecording(props.call)}</span>}
                >
                  {(id) => <A href={`/recordings/${id()}`}>{t.showRecording}</A>}
                </Show>
              ),
            ],
            [t.facts.provider, () => props.call.provider],
            [
              t.facts.providerId,
              () => props.call.provider_call_id && <CopiedCode text={props.call.provider_call_id} />,
            ],
            [t.facts.id, () => <CopiedCode text={props.call.call_id} />],
          ]}
        />
      </Section>
      <Texts title={t.variables} texts={props.call.variables && written(props.call.variables)} />
      <Texts title={t.metadata} texts={props.call.metadata && given(props.call.metadata)} />
    </>
  );
}

function answeredBy(who: unknown): string | undefined {
  if (who === "human") return t.facts.human;
  return who === "machine" ? t.facts.machine : undefined;
}

function withoutRecording({ recorded, ended_at }: Call): string {
  if (!recorded) return t.notRecorded;
  return ended_at === null ? t.recordingAwaited : t.noRecording;
}

/** Named texts, if there are any. Null if the user may not see them. */
function Texts(props: { title: string; texts: [name: string, value: string][] | null }) {
  return (
    <Show when={props.texts?.length !== 0}>
      <Section title={props.title}>
        <Show when={props.texts} fallback={<Hidden contacts />}>
          {(texts) => <Facts of={texts().map(([name, value]) => [name, () => value])} />}
        </Show>
      </Section>
    </Show>
  );
}

const written = (variables: NonNullable<Call["variables"]>): [string, string][] =>
  Object.entries(variables).filter(([, value]) => value !== "");

function given(metadata: NonNullable<Call["metadata"]>): [string, string][] {
  return Object.entries(metadata)
    .filter(([name]) => !SHOWN_ELSEWHERE.includes(name))
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

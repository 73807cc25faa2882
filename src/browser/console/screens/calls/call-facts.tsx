import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { formatDuration } from "../../texts/format.ts";
import { codeInWords, calls as t } from "../../texts/index.ts";
import { AgentLink, CampaignLink } from "../../ui/named.tsx";
import { Section } from "../../ui/page.tsx";
import { Copy, Fact, Facts, PhoneNumber, Time } from "../../ui/values.tsx";
import styles from "./calls.module.css";
import { outcomeInWords } from "./words.ts";

type Call = Body<"Call">;

/** What the service itself notes in a call's metadata; the rest was given with the call. */
const NOTED = ["answered_by", "hangup_requested", "message_left", "carrier_reason"];

/** How a call went, and all that is known of it. */
export function CallFacts(props: { call: Call }) {
  const noted = (name: string) => props.call.metadata[name];
  return (
    <>
      <div>
        <p class={styles.outcome}>{outcomeInWords(props.call)}</p>
        <Show when={typeof noted("carrier_reason") === "string"}>
          <p class="muted">{t.carrierSaid(codeInWords(String(noted("carrier_reason"))))}</p>
        </Show>
        <Show when={noted("message_left") === true}>
          <p class="muted">{t.facts.messageLeft}</p>
        </Show>
      </div>
      <Section title={t.details}>
        <Facts>
          <Fact name={t.facts.from}>
            <PhoneNumber e164={props.call.from_number} />
          </Fact>
          <Fact name={t.facts.to}>
            <PhoneNumber e164={props.call.to_number} />
          </Fact>
          <Fact name={t.facts.agent}>
            <AgentLink id={props.call.agent_id} />
          </Fact>
          <Show when={props.call.campaign_id}>
            {(campaign) => (
              <Fact name={t.facts.campaign}>
                <CampaignLink id={campaign()} />
              </Fact>
            )}
          </Show>
          <Fact name={props.call.direction === "inbound" ? t.facts.cameIn : t.facts.made}>
            <Time at={props.call.started_at ?? props.call.created_at} />
          </Fact>
          <Fact name={t.facts.connected}>
            <Time at={props.call.connected_at} />
          </Fact>
          <Fact name={t.facts.ended}>
            <Time at={props.call.ended_at} />
          </Fact>
          <Show when={props.call.duration_ms !== null}>
            <Fact name={t.facts.duration}>{formatDuration((props.call.duration_ms ?? 0) / 1000)}</Fact>
          </Show>
          <Show when={noted("answered_by") === "human" || noted("answered_by") === "machine"}>
            <Fact name={t.facts.answeredBy}>{noted("answered_by") === "human" ? t.facts.human : t.facts.machine}</Fact>
          </Show>
          <Fact name={t.facts.recording}>
            <Show when={props.call.recording_id} fallback={<span class="muted">{withoutRecording(props.call)}</span>}>
              {(id) => <A href={`/recordings/${id()}`}>{t.showRecording}</A>}
            </Show>
          </Fact>
          <Fact name={t.facts.provider}>{props.call.provider}</Fact>
          <Show when={props.call.provider_call_id}>
            {(id) => (
              <Fact name={t.facts.providerId}>
                <code>{id()}</code> <Copy text={id()} />
              </Fact>
            )}
          </Show>
          <Fact name={t.facts.id}>
            <code>{props.call.call_id}</code> <Copy text={props.call.call_id} />
          </Fact>
        </Facts>
      </Section>
      <Texts title={t.variables} texts={Object.entries(props.call.variables).filter(([, value]) => value !== "")} />
      <Texts title={t.metadata} texts={given(props.call.metadata)} />
    </>
  );
}

function withoutRecording({ recorded, ended_at }: Call): string {
  if (!recorded) return t.notRecorded;
  return ended_at === null ? t.recordingAwaited : t.noRecording;
}

function Texts(props: { title: string; texts: [name: string, value: string][] }) {
  return (
    <Show when={props.texts.length > 0}>
      <Section title={props.title}>
        <Facts>
          <For each={props.texts}>{([name, value]) => <Fact name={name}>{value}</Fact>}</For>
        </Facts>
      </Section>
    </Show>
  );
}

function given(metadata: Call["metadata"]): [string, string][] {
  return Object.entries(metadata)
    .filter(([name]) => !NOTED.includes(name))
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

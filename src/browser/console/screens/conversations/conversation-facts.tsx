import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { formatDuration, formatNumber } from "../../texts/format.ts";
import { codeInWords, conversations as t } from "../../texts/index.ts";
import { AgentLink, CampaignLink } from "../../ui/named.tsx";
import { Section } from "../../ui/page.tsx";
import { Copy, Fact, Facts, PhoneNumber, Time } from "../../ui/values.tsx";
import styles from "./conversation-panel.module.css";
import { endInWords, heldIn, shortTime } from "./words.ts";

type Detail = Body<"ConversationDetail">;

/** How a conversation went, with the way to everything it belongs to. */
export function ConversationFacts(props: { conversation: Detail }) {
  const seconds = () => (props.conversation.duration_ms ?? 0) / 1000;
  const contact = () => {
    const { campaign_id, contact_id } = props.conversation;
    return campaign_id && contact_id ? `/campaigns/${campaign_id}/contacts/${contact_id}` : undefined;
  };
  return (
    <Section title={t.details}>
      <Facts>
        <Fact name={t.facts.disposition}>
          <Show when={props.conversation.disposition} fallback={<span class="muted">{t.facts.noDisposition}</span>}>
            {(word) => <span title={word()}>{codeInWords(word())}</span>}
          </Show>
        </Fact>
        <Show when={props.conversation.end_reason}>
          {(reason) => <Fact name={t.facts.end}>{endInWords(reason())}</Fact>}
        </Show>
        <Show when={props.conversation.transferred_to}>
          {(number) => (
            <Fact name={t.facts.transferred}>
              <PhoneNumber e164={number()} />
            </Fact>
          )}
        </Show>
        <Fact name={t.facts.agent}>
          <AgentLink id={props.conversation.agent_id} />
        </Fact>
        <Show when={props.conversation.campaign_id}>
          {(campaign) => (
            <Fact name={t.facts.campaign}>
              <CampaignLink id={campaign()} />
            </Fact>
          )}
        </Show>
        <Show when={contact()}>
          {(href) => (
            <Fact name={t.facts.contact}>
              <A href={href()}>{t.facts.showContact}</A>
            </Fact>
          )}
        </Show>
        <Show when={props.conversation.call_id}>
          {(call) => (
            <Fact name={t.facts.call}>
              <A href={`/calls/${call()}`}>{t.facts.showCall}</A>
            </Fact>
          )}
        </Show>
        <Show when={props.conversation.visitor_id}>
          {(visitor) => (
            <Fact name={props.conversation.kind === "test" ? t.facts.tester : t.facts.visitor}>{visitor()}</Fact>
          )}
        </Show>
        <Fact name={t.facts.held}>{heldIn(props.conversation)}</Fact>
        <Fact name={t.facts.began}>
          <Time at={props.conversation.started_at} />
        </Fact>
        <Show when={props.conversation.duration_ms !== null}>
          <Fact name={t.facts.duration}>{formatDuration(seconds())}</Fact>
        </Show>
        <Fact name={t.facts.tools}>{formatNumber(props.conversation.tool_call_count)}</Fact>
        <Fact name={t.facts.tokens}>
          {t.facts.tokensValue(
            formatNumber(props.conversation.usage.input_tokens),
            formatNumber(props.conversation.usage.output_tokens),
          )}
        </Fact>
        <Show when={props.conversation.usage.audio_ms > 0}>
          <Fact name={t.facts.audio}>{formatDuration(props.conversation.usage.audio_ms / 1000)}</Fact>
        </Show>
        <Fact name={t.facts.id}>
          <code>{props.conversation.id}</code> <Copy text={props.conversation.id} />
        </Fact>
      </Facts>
    </Section>
  );
}

/** How long the other side waited for answers, in three numbers. */
export function Latency(props: { conversation: Detail }) {
  const { first, median, max } = t.latencyNames;
  const numbers = () => {
    const { first_ms, median_ms, max_ms } = props.conversation.latency;
    return [
      { name: first, ms: first_ms },
      { name: median, ms: median_ms },
      { name: max, ms: max_ms },
    ];
  };
  return (
    <Show when={props.conversation.latency.median_ms !== null}>
      <Section title={t.latency}>
        <div class={styles.numbers}>
          <For each={numbers()}>
            {({ name, ms }) => (
              <div>
                <span class="muted">{name}</span>
                <strong>{ms === null ? "–" : shortTime(ms)}</strong>
              </div>
            )}
          </For>
        </div>
      </Section>
    </Show>
  );
}

/** What the agent's texts could name. */
export function Variables(props: { conversation: Detail }) {
  const known = () => Object.entries(props.conversation.variables).filter(([, value]) => value !== "");
  return (
    <Show when={known().length > 0}>
      <Section title={t.variables}>
        <Facts>
          <For each={known()}>{([name, value]) => <Fact name={name}>{value}</Fact>}</For>
        </Facts>
      </Section>
    </Show>
  );
}

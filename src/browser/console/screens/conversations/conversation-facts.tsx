import { A } from "@solidjs/router";
import { For, Match, Show, Switch } from "solid-js";
import type { Body } from "../../api/client.ts";
import { seesContent } from "../../api/may.ts";
import { formatDuration, formatNumber } from "../../texts/format.ts";
import { codeInWords, disclosure, conversations as t } from "../../texts/index.ts";
import { AgentLink, CampaignLink } from "../../ui/named.tsx";
import { Hidden } from "../../ui/not-allowed.tsx";
import { Section } from "../../ui/page.tsx";
import { CopiedCode, Facts, PhoneNumber, Time } from "../../ui/values.tsx";
import styles from "./conversation-panel.module.css";
import { endInWords } from "./end-in-words.ts";
import { heldIn, shortTime } from "./words.ts";

type Detail = Body<"ConversationDetail">;

export function ConversationFacts(props: { conversation: Detail }) {
  const seconds = () => (props.conversation.duration_ms ?? 0) / 1000;
  const contact = () => {
    const { campaign_id, contact_id } = props.conversation;
    const href = `/campaigns/${campaign_id}/contacts/${contact_id}`;
    return campaign_id && contact_id && <A href={href}>{t.facts.showContact}</A>;
  };
  return (
    <Section title={t.details}>
      <Facts
        of={[
          [
            t.facts.disposition,
            () => (
              <Show
                when={props.conversation.disposition}
                fallback={seesContent() ? <span class="muted">{t.facts.noDisposition}</span> : <Hidden />}
              >
                {(word) => <span title={word()}>{codeInWords(word())}</span>}
              </Show>
            ),
          ],
          [t.facts.end, () => props.conversation.end_reason && endInWords(props.conversation.end_reason)],
          [
            disclosure.title,
            () => {
              const { disclosed } = props.conversation;
              return disclosed && <span title={disclosed.text ?? ""}>{disclosure.hows[disclosed.how]}</span>;
            },
          ],
          [
            t.facts.transferred,
            () => props.conversation.transferred_to && <PhoneNumber e164={props.conversation.transferred_to} />,
          ],
          [t.facts.agent, () => <AgentLink id={props.conversation.agent_id} />],
          [
            t.facts.version,
            () =>
              props.conversation.agent_version !== null && (
                <A href={`/agents/${props.conversation.agent_id}/versions?version=${props.conversation.agent_version}`}>
                  {props.conversation.agent_version}
                </A>
              ),
          ],
          [
            t.facts.campaign,
            () => props.conversation.campaign_id && <CampaignLink id={props.conversation.campaign_id} />,
          ],
          [t.facts.contact, contact],
          [
            t.facts.call,
            () => props.conversation.call_id && <A href={`/calls/${props.conversation.call_id}`}>{t.facts.showCall}</A>,
          ],
          [props.conversation.kind === "test" ? t.facts.tester : t.facts.visitor, () => props.conversation.visitor_id],
          [t.facts.held, () => heldIn(props.conversation)],
          [t.facts.began, () => <Time at={props.conversation.started_at} />],
          [t.facts.duration, () => props.conversation.duration_ms !== null && formatDuration(seconds())],
          [t.facts.tools, () => formatNumber(props.conversation.tool_call_count)],
          [
            t.facts.tokens,
            () =>
              t.facts.tokensValue(
                formatNumber(props.conversation.usage.input_tokens),
                formatNumber(props.conversation.usage.output_tokens),
              ),
          ],
          [
            t.facts.audio,
            () => props.conversation.usage.audio_ms > 0 && formatDuration(props.conversation.usage.audio_ms / 1000),
          ],
          [t.facts.id, () => <CopiedCode text={props.conversation.id} />],
        ]}
      />
    </Section>
  );
}

/** How long the other party waited for responses. */
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

/** The values of the variables in the agent's texts. */
export function Variables(props: { conversation: Detail }) {
  const filled = () => Object.entries(props.conversation.variables ?? {}).filter(([, value]) => value !== "");
  return (
    <Switch>
      <Match when={props.conversation.variables === null}>
        <Section title={t.variables}>
          <Hidden />
        </Section>
      </Match>
      <Match when={filled().length > 0}>
        <Section title={t.variables}>
          <Facts of={filled().map(([name, value]) => [name, () => value])} />
        </Section>
      </Match>
    </Switch>
  );
}

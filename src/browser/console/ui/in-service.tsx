import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import type { Body } from "../api/client.ts";
import { inService as t } from "../texts/index.ts";
import { Note } from "./feedback.tsx";
import { CHANNELS, type Channel, isServed, STATE_TONES, serviceState } from "./in-service.ts";
import { Row } from "./layout.tsx";
import { Badge } from "./values.tsx";

export function AgentState(props: { of: Parameters<typeof serviceState>[0] }) {
  const state = () => serviceState(props.of);
  return <Badge tone={STATE_TONES[state()]}>{t.states[state()]}</Badge>;
}

/** Whether an agent is in service on each channel, and briefly why not. */
export function Channels(props: { of: Body<"InService"> }) {
  return (
    <Row as="ul" gap={[4, 16]} aria-label={t.label}>
      <For each={CHANNELS}>
        {(channel) => (
          <li>
            <ChannelState of={props.of[channel]} name={t.channels[channel]} />
          </li>
        )}
      </For>
    </Row>
  );
}

function ChannelState(props: { of: Body<"ChannelService">; name: string }) {
  const reason = () => props.of.reason;
  return (
    <Badge tone={props.of.ready ? "ok" : "idle"}>
      <span title={props.of.message ?? undefined}>
        {props.name}: {reason() === null ? t.ready : t.reasons[reason() ?? "draft"]}
      </span>
    </Badge>
  );
}

/**
 * A warning on a number or widget key that its agent isn't in service, with the reason and a link to the agent. Empty
 * if it is in service.
 */
export function OutOfService(props: {
  agentId: string | null;
  in_service: Body<"InService"> | null;
  channel: Exclude<Channel, "campaigns">;
}) {
  const state = () => props.in_service?.[props.channel];
  const trouble = () => {
    const found = state();
    return found && !isServed(found) ? found : undefined;
  };
  return (
    <Show when={trouble()}>
      {(found) => (
        <Note tone="warn">
          <strong>{props.channel === "phone" ? t.callersGetNoAnswer : t.visitorsGetNoAnswer}</strong>
          <p>
            {t.remedies[found().reason ?? "draft"] ?? found().message}{" "}
            <A href={`/agents/${props.agentId}`}>{t.openAgent}</A>
          </p>
        </Note>
      )}
    </Show>
  );
}

/** The same warning as a badge in a list row. */
export function OutOfServiceBadge(props: { in_service: Body<"InService"> | null; channel: Channel }) {
  const trouble = () => {
    const found = props.in_service?.[props.channel];
    return found && !isServed(found) ? found.reason : null;
  };
  return (
    <Show when={trouble()}>
      {(reason) => (
        <Badge tone="warn">
          <span title={props.in_service?.[props.channel].message ?? undefined}>{t.reasons[reason()]}</span>
        </Badge>
      )}
    </Show>
  );
}

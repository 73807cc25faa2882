import { A } from "@solidjs/router";
import { Match, Show, Switch } from "solid-js";
import { talk as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Row } from "../../../ui/layout.tsx";
import { chosen } from "../../../ui/options.ts";
import type { Tone } from "../../../ui/tone.ts";
import { Badge } from "../../../ui/values.tsx";
import { type createConversation, hostOf, type Phase } from "./conversation.ts";
import styles from "./talk.module.css";

interface Props {
  conversation: ReturnType<typeof createConversation>;
  begin: () => Promise<void>;
}

const TONES: Record<Phase, Tone> = {
  idle: "idle",
  beginning: "info",
  talking: "live",
  lost: "warn",
  ended: "idle",
  refused: "bad",
  full: "warn",
  elsewhere: "warn",
  blocked: "bad",
  nowhere: "bad",
};

export function ConversationStatus(props: Props) {
  const isBegun = () => props.conversation.entries.length > 0;
  return (
    <header class={styles.header}>
      <Badge tone={TONES[props.conversation.phase()]}>{t.phases[props.conversation.phase()]}</Badge>
      <Row gap={12} align="center">
        <Show when={isBegun() && props.conversation.session()}>
          {(session) => <A href={`/conversations/${session().conversation_id}`}>{t.transcript}</A>}
        </Show>
        <Show when={props.conversation.phase() === "talking" || props.conversation.phase() === "lost"}>
          <Button small onClick={() => void props.begin()}>
            {t.again}
          </Button>
        </Show>
      </Row>
    </header>
  );
}

/** Why the user can't talk to the agent, and what to do about it. */
export function NotTalking(props: Props & { agentName: string }) {
  const phase = () => props.conversation.phase();
  const runtime = () => hostOf(props.conversation.session()?.runtime_url ?? "");
  const reason = () => chosen(t.endReasons, props.conversation.endReason());
  const refusal = () => chosen(t.refusals, props.conversation.endReason());
  return (
    <div class={styles.rest}>
      <Switch>
        <Match when={phase() === "idle"}>
          <p>{t.lead(props.agentName)}</p>
        </Match>
        <Match when={phase() === "beginning"}>
          <p>{t.connecting(runtime())}</p>
        </Match>
        <Match when={phase() === "ended"}>
          <p>
            {t.over} <Show when={reason()}>{(word) => <>{t.endReasons[word()]}</>}</Show>
          </p>
        </Match>
        <Match when={phase() === "refused" || phase() === "full"}>
          <p>
            <Show when={refusal()} fallback={t.refused}>
              {(word) => <>{t.refusals[word()]}</>}
            </Show>
          </p>
        </Match>
        <Match when={phase() === "elsewhere"}>
          <p>{t.elsewhere}</p>
        </Match>
        <Match when={phase() === "blocked"}>
          <p>{t.blocked(runtime())}</p>
        </Match>
        <Match when={phase() === "nowhere"}>
          <p>{t.nowhere}</p>
        </Match>
      </Switch>
      <Button kind="primary" busy={phase() === "beginning"} onClick={() => void props.begin()}>
        {phase() === "idle" || phase() === "beginning" ? t.begin : t.again}
      </Button>
    </div>
  );
}

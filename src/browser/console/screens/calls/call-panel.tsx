import { useParams } from "@solidjs/router";
import { createEffect, createMemo, on, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate, queries } from "../../api/queries.ts";
import { callById } from "../../api/records.ts";
import { useQuery } from "../../api/use-query.ts";
import { calls as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { EraseButton } from "../../ui/erase-button.tsx";
import { Loaded } from "../../ui/feedback.tsx";
import { AudioLines, MessagesSquare, PhoneOff } from "../../ui/icons.tsx";
import { SidePanel } from "../../ui/page.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";
import { notify } from "../../ui/toast.tsx";
import { Badge } from "../../ui/values.tsx";
import { CallFacts } from "./call-facts.tsx";
import { isNumber, isRunning, otherNumber, toneOf } from "./words.ts";

const REFETCH_INTERVAL_MS = 2_000;

export default function CallPanel() {
  const params = useParams<{ id: string }>();
  const call = useQuery(() => ({
    ...callById(params.id),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? REFETCH_INTERVAL_MS : false),
  }));
  const current = () => call.data;
  // Keeps the list consistent with the panel.
  const shown = createMemo(() => `${current()?.call_id} ${current()?.status}`);
  createEffect(on(shown, () => void queries.invalidateQueries({ queryKey: ["calls", "list"] }), { defer: true }));
  const title = () => {
    const found = current();
    return found ? groupedNumber(otherNumber(found)) : t.one;
  };
  return (
    <SidePanel
      title={title()}
      lead={<Show when={current()}>{(found) => <Lead call={found()} />}</Show>}
      closeTo="/calls"
      actions={leadsOn(current()) && <Show when={current()}>{(found) => <Actions call={found()} />}</Show>}
    >
      <Loaded query={call}>{(found) => <CallFacts call={found()} />}</Loaded>
    </SidePanel>
  );
}

/** Checks whether the call has any action or link. */
function leadsOn(call: Body<"Call"> | undefined): boolean {
  if (call === undefined) return false;
  return isRunning(call) || call.conversation_id !== null || call.recording_id !== null || isNumber(otherNumber(call));
}

function Lead(props: { call: Body<"Call"> }) {
  return (
    <>
      {t.directions[props.call.direction]} <Badge tone={toneOf(props.call)}>{t.statuses[props.call.status]}</Badge>
    </>
  );
}

function Actions(props: { call: Body<"Call"> }) {
  const hangUp = () =>
    confirmed({ title: t.hangUpTitle, body: t.hangUpBody, verb: t.hangUp, danger: true }, async () => {
      try {
        await data(api.POST("/api/v1/calls/{id}/hangup", { params: { path: { id: props.call.call_id } } }));
        notify(t.hungUp);
      } finally {
        await invalidate("calls");
      }
    });
  return (
    <>
      <Show when={isRunning(props.call)}>
        <Button needs="hangUpCall" small kind="danger" icon={PhoneOff} onClick={() => void hangUp()}>
          {t.hangUp}
        </Button>
      </Show>
      <Show when={props.call.conversation_id}>
        {(id) => (
          <LinkButton small icon={MessagesSquare} href={`/conversations/${id()}`}>
            {t.showConversation}
          </LinkButton>
        )}
      </Show>
      <Show when={props.call.recording_id}>
        {(id) => (
          <LinkButton small icon={AudioLines} href={`/recordings/${id()}`}>
            {t.showRecording}
          </LinkButton>
        )}
      </Show>
      <Show when={isNumber(otherNumber(props.call))}>
        <EraseButton by="phone_number" value={otherNumber(props.call)} />
      </Show>
    </>
  );
}

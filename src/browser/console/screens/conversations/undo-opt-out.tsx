import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { conversations } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";
import { notify } from "../../ui/toast.tsx";

const t = conversations.optOut;

/** Removes an opt-out that was misheard in a conversation, after a question. */
export function UndoOptOut(props: { conversation: Body<"ConversationDetail"> }) {
  const [isUndone, setUndone] = createSignal(false);
  const number = () => (props.conversation.opted_out ? props.conversation.phone_number : null);
  const undo = (e164: string) =>
    confirmed({ title: t.title(groupedNumber(e164)), body: t.body, verb: t.verb, danger: true }, async () => {
      const params = { path: { id: props.conversation.id } };
      const { on_list } = await data(api.POST("/api/v1/conversations/{id}/undo-opt-out", { params }));
      setUndone(true);
      notify(on_list ? t.stays(groupedNumber(e164)) : t.undone(groupedNumber(e164)));
      await invalidate("do-not-call");
    });
  return (
    <Show when={!isUndone() && number()}>
      {(e164) => (
        <Button needs="undoOptOut" small onClick={() => void undo(e164())}>
          {t.action}
        </Button>
      )}
    </Show>
  );
}

import { useNavigate } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { agentTests } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";

const t = agentTests.ofConversation;

export function MakeTest(props: { conversation: Body<"ConversationDetail"> }) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = createSignal(false);
  const hasWords = () => props.conversation.turns?.some(({ role }) => role === "user") === true;
  const make = async () => {
    setBusy(true);
    try {
      const path = { id: props.conversation.id };
      const test = await data(api.POST("/api/v1/conversations/{id}/to-test", { params: { path } }));
      await invalidate("agents");
      notify(t.made);
      navigate(`/agents/${test.agent_id}/tests/${test.id}`);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Show when={props.conversation.status === "ended" && hasWords()}>
      <Button needs="conversationToTest" small busy={isBusy()} onClick={() => void make()}>
        {t.verb}
      </Button>
    </Show>
  );
}

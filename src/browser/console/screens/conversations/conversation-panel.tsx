import { createSignal, Show } from "solid-js";
import { api, ask, type Body } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { common, conversations as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { saveAs } from "../../ui/download.ts";
import { EraseButton } from "../../ui/erase-button.tsx";
import { Loaded, Note } from "../../ui/feedback.tsx";
import { Download, Trash } from "../../ui/icons.tsx";
import { ById, Section, SidePanel } from "../../ui/page.tsx";
import { Player } from "../../ui/player.tsx";
import { useDelete } from "../../ui/resource-panel.tsx";
import { notifyFailure } from "../../ui/toast.tsx";
import { Badge, Time } from "../../ui/values.tsx";
import { ConversationAnalysis } from "./conversation-analysis.tsx";
import { ConversationCost } from "./conversation-cost.tsx";
import { ConversationFacts, Latency, Variables } from "./conversation-facts.tsx";
import styles from "./conversation-panel.module.css";
import { ConversationTrace } from "./conversation-trace.tsx";
import { MakeTest } from "./make-test.tsx";
import { Transcript } from "./transcript.tsx";
import { UndoOptOut } from "./undo-opt-out.tsx";
import { useConversation } from "./use-conversation.ts";
import { useRecording } from "./use-recording.ts";
import { heldIn, otherSide, personIn } from "./words.ts";

export default function ConversationPanel() {
  return <ById>{(id) => <OneConversation id={id} />}</ById>;
}

function OneConversation(props: { id: string }) {
  const { stored, isLive, stream, latest } = useConversation(props.id);
  const shown = () => {
    const found = stored.data;
    return found && latest(found);
  };
  const title = () => {
    const conversation = shown();
    return conversation ? otherSide(conversation) : t.one;
  };
  return (
    <SidePanel
      title={title()}
      lead={<Show when={shown()}>{(conversation) => <Lead conversation={conversation()} />}</Show>}
      closeTo="/conversations"
      actions={<Show when={shown()}>{(conversation) => <Actions conversation={conversation()} />}</Show>}
    >
      <Loaded query={stored}>
        {(found) => (
          <>
            <Show when={isLive() && may("streamConversationEvents")}>
              <Note tone={stream() === "lost" ? "warn" : "info"}>{t.stream[stream()]}</Note>
            </Show>
            <ConversationText conversation={latest(found())} />
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

function Lead(props: { conversation: Body<"ConversationDetail"> }) {
  return (
    <span class="lead">
      <Show when={props.conversation.status === "live"}>
        <Badge tone="live">{t.live}</Badge>
      </Show>
      <span>{heldIn(props.conversation)}</span>
      <Time at={props.conversation.started_at} />
    </span>
  );
}

function ConversationText(props: { conversation: Body<"ConversationDetail"> }) {
  const { playback, missing } = useRecording(() => props.conversation);
  const [shown, setShown] = createSignal<{ seq: number }>();
  return (
    <div class={styles.frame}>
      <div class={styles.columns}>
        <div class={styles.analysis}>
          <ConversationAnalysis conversation={props.conversation} show={(seq) => setShown({ seq })} />
        </div>
        <div class={styles.said}>
          <div class={styles.player}>
            <Show when={playback()} fallback={<Show when={missing()}>{(why) => <p class="muted">{why()}</p>}</Show>}>
              {(ready) => <Player player={ready().player} />}
            </Show>
          </div>
          <Section title={t.transcript}>
            <Show
              when={!props.conversation.complete && props.conversation.status === "ended" && props.conversation.turns}
            >
              {(turns) => (
                <Note tone="warn">
                  {turns().length > 0 || props.conversation.storage === "metadata" ? t.incomplete : t.lost}
                </Note>
              )}
            </Show>
            <Transcript conversation={props.conversation} playback={playback()} shown={shown()} />
          </Section>
        </div>
        <div class={styles.facts}>
          <ConversationFacts conversation={props.conversation} />
          <ConversationCost conversation={props.conversation} />
          <Latency conversation={props.conversation} />
          <ConversationTrace conversation={props.conversation} />
          <Variables conversation={props.conversation} />
        </div>
      </div>
    </div>
  );
}

function Actions(props: { conversation: Body<"ConversationDetail"> }) {
  const download = async () => {
    const { id } = props.conversation;
    try {
      const transcript = await ask(`/api/v1/conversations/${id}/transcript`, { headers: { accept: "text/plain" } });
      saveAs(await transcript.blob(), `conversation-${id}.txt`);
    } catch (error) {
      notifyFailure(error);
    }
  };
  const confirmDelete = useDelete("/conversations", "conversations");
  const remove = () => {
    const { id, status } = props.conversation;
    return confirmDelete(
      { title: t.deleteTitle, body: status === "live" ? `${t.deleteLive} ${t.deleteBody}` : t.deleteBody },
      () => api.DELETE("/api/v1/conversations/{id}", { params: { path: { id } } }),
      t.deleted,
    );
  };
  return (
    <>
      <Button needs="getConversationTranscript" small icon={Download} onClick={() => void download()}>
        {t.downloadText}
      </Button>
      <MakeTest conversation={props.conversation} />
      <UndoOptOut conversation={props.conversation} />
      <Button needs="deleteConversation" small kind="danger" icon={Trash} onClick={() => void remove()}>
        {common.delete}
      </Button>
      <Show when={personIn(props.conversation)}>
        {(person) => <EraseButton by={person()[0]} value={person()[1]} />}
      </Show>
    </>
  );
}

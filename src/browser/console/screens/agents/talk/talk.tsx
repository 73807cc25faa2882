import { createSignal, onCleanup, Show } from "solid-js";
import { createStore } from "solid-js/store";
import { canSpeak, Speech } from "../../../../widget/speech.ts";
import { talk as t } from "../../../texts/index.ts";
import { Failure } from "../../../ui/feedback.tsx";
import { NoModel } from "../../../ui/no-model.tsx";
import { useAgent } from "../agent-context.ts";
import { variablesIn } from "../prompt/variables.ts";
import { Composer } from "./composer.tsx";
import { createConversation } from "./conversation.ts";
import { ConversationStatus, NotTalking } from "./conversation-status.tsx";
import { Lines } from "./lines.tsx";
import styles from "./talk.module.css";
import { VariableFields } from "./variable-fields.tsx";

/** The script of the widget's voice, which the console reuses. */
const VOICE = "/widget-voice.js";

/** Conversation with the agent as a visitor would have it: by text, and by voice if the browser supports it. */
export default function Talk() {
  const agent = useAgent();
  const speech = canSpeak() ? new Speech(VOICE) : undefined;
  const [status, setStatus] = createSignal("");
  const [failure, setFailure] = createSignal<unknown>();
  const [values, setValues] = createStore<Record<string, string>>({});
  let voiceSlot: HTMLElement | undefined;
  let box: HTMLTextAreaElement | undefined;
  let isVoiceThere = false;

  const conversation = createConversation(agent().id, {
    ready: () => {
      box?.focus();
      if (!isVoiceThere) startVoice();
    },
    delta: (text, interruptible, address) => speech?.delta(text, interruptible, address),
    message: (text, interruptible, address) => speech?.message(text, interruptible, address),
    language: (lang) => speech?.language(lang),
    over: (isAtItsEnd) => {
      isVoiceThere = false;
      setStatus("");
      if (isAtItsEnd) speech?.finish();
      else speech?.stop();
    },
  });
  onCleanup(() => speech?.stop());

  const say = (text: string) => {
    speech?.onUserTurn();
    conversation.say(text);
  };
  const startVoice = () => {
    if (!speech || !voiceSlot) return;
    isVoiceThere = true;
    const host = {
      agentName: agent().name,
      lang: agent().language,
      place: voiceSlot,
      say,
      interrupt: conversation.interrupt,
      status: setStatus,
    };
    speech.start(host).catch(() => setStatus(t.noVoiceNow));
  };
  const begin = async () => {
    setFailure(undefined);
    const given = Object.entries(values).filter(([, value]) => value !== "");
    await conversation.begin(Object.fromEntries(given)).catch(setFailure);
  };
  const isOpen = () => conversation.phase() === "talking" || conversation.phase() === "lost";
  const goingOn = () => {
    if (conversation.phase() === "lost") return t.lost;
    return conversation.isTyping() ? t.typing(agent().name) : "";
  };
  const variables = () => variablesIn(agent().greeting_message, agent().system_prompt);

  return (
    <div class={styles.talk}>
      <section
        class={styles.chat}
        aria-label={t.title}
        data-fresh={!isOpen() && conversation.entries.length === 0 ? "" : undefined}
      >
        <NoModel llmModel={agent().llm_model} />
        <ConversationStatus conversation={conversation} begin={begin} />
        <Lines conversation={conversation} agentName={agent().name} />
        <Show when={failure()}>
          {(error) => (
            <div class={styles.failure}>
              <Failure error={error()} />
            </div>
          )}
        </Show>
        <Show when={!isOpen()}>
          <NotTalking conversation={conversation} agentName={agent().name} begin={begin} />
        </Show>
        <p class={styles.status} role="status">
          {status() || goingOn()}
        </p>
        <Composer
          agentName={agent().name}
          isOpen={isOpen()}
          say={say}
          box={(element) => {
            box = element;
          }}
          voiceSlot={(element) => {
            voiceSlot = element;
          }}
        />
      </section>
      <aside class="stack">
        <VariableFields
          variables={variables()}
          values={values}
          set={(name, value) => setValues(name, value)}
          isUnderWay={isOpen()}
        />
        <div class={styles.notes}>
          <p>{speech ? t.voice : t.noVoice}</p>
          <p>{t.real}</p>
          <p>{t.scripted}</p>
        </div>
      </aside>
    </div>
  );
}

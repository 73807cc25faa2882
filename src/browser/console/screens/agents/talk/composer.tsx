import { createSignal } from "solid-js";
import { talk as t } from "../../../texts/index.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ArrowUp as Send } from "../../../ui/icons.tsx";
import styles from "./talk.module.css";

const MAX_MESSAGE_CHARS = 4_000;

export function Composer(props: {
  agentName: string;
  isOpen: boolean;
  say: (text: string) => void;
  box: (element: HTMLTextAreaElement) => void;
  voiceSlot: (element: HTMLElement) => void;
}) {
  const [text, setText] = createSignal("");
  const send = (event: Event) => {
    event.preventDefault();
    const words = text().trim();
    if (words === "") return;
    setText("");
    props.say(words);
  };
  return (
    <form noValidate class={styles.composer} hidden={!props.isOpen} onSubmit={send}>
      <textarea
        ref={(element) => props.box(element)}
        class={styles.box}
        rows={1}
        dir="auto"
        maxlength={MAX_MESSAGE_CHARS}
        aria-label={t.messageTo(props.agentName)}
        placeholder={t.placeholder}
        enterkeyhint="send"
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
        }}
      />
      <span class={styles.voice} ref={(element) => props.voiceSlot(element)} />
      <IconButton icon={Send} label={t.send} kind="primary" type="submit" disabled={text().trim() === ""} />
    </form>
  );
}

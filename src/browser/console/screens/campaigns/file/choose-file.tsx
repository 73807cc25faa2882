import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { newCampaign } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DropArea } from "../../../ui/drop-area.tsx";
import { TextArea } from "../../../ui/fields.tsx";
import { ClipboardPaste, FileUp } from "../../../ui/icons.tsx";
import { isWriting } from "../../../ui/keys.ts";
import { Row } from "../../../ui/layout.tsx";
import type { ContactList } from "./contact-list.ts";
import styles from "./file.module.css";

const t = newCampaign.choose;
export const LIST_FILES = ".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values";
const SAMPLE = "phone_number,name,company\n+12025550111,Ada,Analytical Engines\n+12025550112,Grace,Harbour Freight";

/** Lets the user drop, choose or paste a list. */
export function ChooseFile(props: {
  list: ContactList;
  /** Whether another action on the screen is the primary one. */
  isSecond: boolean;
}) {
  const [isPasting, setPasting] = createSignal(false);

  const choose = (file: File | undefined) => file && void props.list.choose(file);
  const usePasted = (text: string) => choose(new File([text], t.pasted, { type: "text/csv" }));
  const paste = (event: ClipboardEvent) => {
    if (isWriting(event.target) || isPasting()) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text") ?? "";
    if (file) choose(file);
    else if (text.includes("\n")) usePasted(text);
  };
  onMount(() => {
    addEventListener("paste", paste);
    onCleanup(() => removeEventListener("paste", paste));
  });

  return (
    <>
      <DropArea label={t.file} accept={LIST_FILES} onFiles={([file]) => choose(file)}>
        {(pick) => (
          <>
            <strong>{t.drop}</strong>
            <Row justify="center">
              <Button kind={props.isSecond ? "plain" : "primary"} icon={FileUp} onClick={pick}>
                {t.file}
              </Button>
              <Button icon={ClipboardPaste} onClick={() => setPasting(true)}>
                {t.paste}
              </Button>
            </Row>
            <p class="muted">{t.about}</p>
            <figure class={styles.sample}>
              <figcaption class="muted">{t.sample}</figcaption>
              <pre tabindex="0">{SAMPLE}</pre>
            </figure>
          </>
        )}
      </DropArea>
      <Show when={isPasting()}>
        <PasteRows
          onClose={() => setPasting(false)}
          onUse={(text) => {
            setPasting(false);
            usePasted(text);
          }}
        />
      </Show>
    </>
  );
}

function PasteRows(props: { onClose: () => void; onUse: (text: string) => void }) {
  const [text, setText] = createSignal("");
  return (
    <Dialog
      title={t.pasteTitle}
      wide
      onClose={props.onClose}
      footer={
        <Button kind="primary" disabled={text().trim() === ""} onClick={() => props.onUse(text())}>
          {t.pasteVerb}
        </Button>
      }
    >
      <TextArea label={t.pasteLabel} value={text()} onInput={setText} rows={10} code placeholder={SAMPLE} />
    </Dialog>
  );
}

import { For } from "solid-js";
import { common, secondFactor as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { saveAs } from "../ui/download.ts";
import { Note } from "../ui/feedback.tsx";
import { Copy, Download } from "../ui/icons.tsx";
import { notify } from "../ui/toast.tsx";
import styles from "./second-factor.module.css";
import { session } from "./session.ts";

export function RecoveryCodes(props: { codes: string[]; onSaved: () => void }) {
  const text = () => `${props.codes.join("\n")}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    notify(common.copied);
  };
  const download = () => {
    const { user, account = "" } = session() ?? {};
    const file = `${t.fileHead(user?.email ?? "", account)}\n\n${text()}`;
    saveAs(new Blob([file], { type: "text/plain" }), t.fileName(account));
  };
  return (
    <>
      <Note tone="warn">{t.recoveryLead}</Note>
      <ul class={styles.codes} aria-label={t.recoveryCodes}>
        <For each={props.codes}>
          {(code) => (
            <li>
              <code>{code}</code>
            </li>
          )}
        </For>
      </ul>
      <div class="row">
        <Button icon={Copy} onClick={() => void copy()}>
          {t.copyAll}
        </Button>
        <Button icon={Download} onClick={download}>
          {t.download}
        </Button>
      </div>
      <div>
        <Button kind="primary" onClick={() => props.onSaved()}>
          {t.saved}
        </Button>
      </div>
    </>
  );
}

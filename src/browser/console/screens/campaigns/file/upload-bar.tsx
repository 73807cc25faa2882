import { type JSX, Show } from "solid-js";
import type { Sent } from "../../../api/upload.ts";
import { newCampaign } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./file.module.css";
import type { Uploading } from "./upload.ts";

const t = newCampaign.upload;

/** The upload button, replaced by the progress of a running upload. */
export function UploadBar(props: { uploading: Uploading; children: JSX.Element }) {
  return (
    <div class={styles.footer}>
      <Show when={props.uploading.sent()} fallback={props.children}>
        {(sent) => (
          <>
            <div class={styles.progress} role="status">
              <progress value={shareOf(sent())} aria-label={wordsOf(sent())} />
              <span>{wordsOf(sent())}</span>
              <span class="muted">{t.stays}</span>
            </div>
            <Button onClick={() => props.uploading.cancel()}>{t.cancel}</Button>
          </>
        )}
      </Show>
    </div>
  );
}

const shareOf = ({ sent, total }: Sent) => (total === 0 ? 0 : sent / total);
const wordsOf = ({ sent, total }: Sent) => (sent === total && total > 0 ? t.storing : t.sending(sent, total));

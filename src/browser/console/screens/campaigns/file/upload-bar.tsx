import { type JSX, Show } from "solid-js";
import { newCampaign } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./file.module.css";
import type { Stage, Uploading } from "./upload.ts";

const t = newCampaign.upload;

/** What begins an upload, and while one goes on how far it is. */
export function UploadBar(props: { uploading: Uploading; children: JSX.Element }) {
  return (
    <div class={styles.footer}>
      <Show when={props.uploading.stage()} fallback={props.children}>
        {(stage) => (
          <>
            <div class={styles.progress} role="status">
              <progress value={shareOf(stage())} aria-label={wordsOf(stage())} />
              <span>{wordsOf(stage())}</span>
              <span class="muted">{t.stays}</span>
            </div>
            <Button onClick={() => props.uploading.cancel()}>{t.cancel}</Button>
          </>
        )}
      </Show>
    </div>
  );
}

function shareOf(stage: Stage): number {
  if (stage.kind === "preparing") return stage.share;
  return stage.total === 0 ? 0 : stage.sent / stage.total;
}

function wordsOf(stage: Stage): string {
  if (stage.kind === "preparing") return t.preparing(stage.share);
  return stage.sent === stage.total ? t.storing : t.sending(stage.sent, stage.total);
}

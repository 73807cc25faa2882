import { Show } from "solid-js";
import { common, signIn as t } from "../texts/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { X } from "../ui/icons.tsx";
import { endsInMinutes, putOff, renew } from "./ending.ts";
import styles from "./sign-in.module.css";

/** Warning in a corner a few minutes before the session ends, with a button to continue. */
export function EndsSoon() {
  return (
    <div role="status">
      <Show when={endsInMinutes() !== undefined}>
        <div class={styles.soon}>
          <span>{t.endsSoon(endsInMinutes() ?? 0)}</span>
          <Button small onClick={renew}>
            {t.againTitle}
          </Button>
          <IconButton small icon={X} label={common.close} onClick={putOff} />
        </div>
      </Show>
    </div>
  );
}

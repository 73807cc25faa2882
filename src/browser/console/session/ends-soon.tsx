import { Show } from "solid-js";
import { common, signIn as t } from "../texts/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { X } from "../ui/icons.tsx";
import { endsInMinutes, putOff, renew } from "./ending.ts";
import styles from "./sign-in.module.css";

/** Says, a few minutes before, that the session ends: quietly, in a corner, with the way to go on. */
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

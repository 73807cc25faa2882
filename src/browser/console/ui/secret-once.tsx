import { common } from "../texts/index.ts";
import { Note } from "./feedback.tsx";
import styles from "./secret-once.module.css";
import { Copy } from "./values.tsx";

/** A secret that is shown now and never again. */
export function SecretOnce(props: { label: string; secret: string }) {
  return (
    <Note tone="warn">
      <strong>{common.shownOnce}</strong>
      <div class={styles.secret}>
        <code>{props.secret}</code>
        <Copy text={props.secret} label={common.copyOf(props.label)} />
      </div>
    </Note>
  );
}

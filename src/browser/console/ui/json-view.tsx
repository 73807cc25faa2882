import { formatJson } from "./json.ts";
import styles from "./json-view.module.css";
import { Copy } from "./values.tsx";

/** Shows a value as JSON, or a text unchanged, with a copy button. */
export function JsonView(props: { label: string; value: unknown }) {
  const text = () => (typeof props.value === "string" ? props.value : formatJson(props.value));
  return (
    <figure class={styles.view}>
      <figcaption class={styles.caption}>
        {props.label}
        <Copy text={text()} />
      </figcaption>
      <section class={styles.text} aria-label={props.label} tabindex="0">
        <pre>{text()}</pre>
      </section>
    </figure>
  );
}

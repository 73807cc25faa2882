import { formatJson } from "./json.ts";
import styles from "./json-view.module.css";
import { Copy } from "./values.tsx";

/** A value as JSON, a text as it is, to be read and copied. */
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

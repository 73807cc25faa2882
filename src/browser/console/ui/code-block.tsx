import styles from "./code-block.module.css";
import { Copy } from "./values.tsx";

export function CodeBlock(props: { label: string; code: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div class={styles.block} role="group" aria-label={props.label}>
      <pre tabindex="0">{props.code}</pre>
      <Copy text={props.code} />
    </div>
  );
}

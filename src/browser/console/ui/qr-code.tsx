import { createMemo } from "solid-js";
import { encode } from "uqr";
import styles from "./qr-code.module.css";

/** Width of the blank border around a code, in modules, as the standard requires. */
const BORDER = 4;

/** QR code of a text. It is dark on light in every theme, because scanners expect that. */
export function QrCode(props: { text: string; label: string }) {
  const code = createMemo(() => {
    const { data, size } = encode(props.text, { ecc: "M", border: BORDER });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: dark.join("") };
  });
  return (
    <svg
      class={styles.code}
      viewBox={`0 0 ${code().size} ${code().size}`}
      role="img"
      aria-label={props.label}
      shape-rendering="crispEdges"
    >
      <rect width={code().size} height={code().size} fill="#fff" />
      <path d={code().path} fill="#000" />
    </svg>
  );
}

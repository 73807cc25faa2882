import { type JSX, onCleanup } from "solid-js";
import { common } from "../texts/index.ts";
import styles from "./sign-in.module.css";

/** A page outside the frame of the console: a card under the product's icon. */
export function SignInCard(props: { tab: string; heading?: string; children: JSX.Element }) {
  const before = document.title;
  document.title = `${props.tab} · ${common.product}`;
  onCleanup(() => {
    document.title = before;
  });
  return (
    <main class={styles.page}>
      <div class={styles.card}>
        <img src="/docs/icon.svg" alt="" width="40" height="40" />
        {props.heading && <h1>{props.heading}</h1>}
        {props.children}
      </div>
    </main>
  );
}

import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { agentVersions } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { compare, condense, type Line } from "./compare.ts";
import styles from "./versions.module.css";

const t = agentVersions.texts;
const SIGNS = { same: " ", removed: "−", added: "+" };

/** The changes from one text to another: removed and added lines, with the changed words highlighted. */
export function Changes(props: { before: string; after: string }) {
  const lines = createMemo(() => compare(props.before, props.after));
  const [isWhole, setWhole] = createSignal(false);
  createEffect(on(lines, () => setWhole(false)));
  return (
    <Show when={lines().some(({ kind }) => kind !== "same")} fallback={<p class="muted">{t.noChanges}</p>}>
      <section class={styles.changes} aria-label={t.changes} tabindex="0">
        <For each={isWhole() ? [{ lines: lines(), left: undefined }] : condense(lines())}>
          {(stretch) => (
            <Show
              when={stretch.lines}
              fallback={
                <div class={styles.gap}>
                  <Button small kind="quiet" onClick={() => setWhole(true)}>
                    {t.unchanged(stretch.left ?? 0)}
                  </Button>
                </div>
              }
            >
              {(shown) => <For each={shown()}>{(line) => <OneLine line={line} />}</For>}
            </Show>
          )}
        </For>
      </section>
    </Show>
  );
}

function OneLine(props: { line: Line }) {
  return (
    <div class={`${styles.line} ${styles[props.line.kind]}`}>
      <span class={styles.sign} aria-hidden="true">
        {SIGNS[props.line.kind]}
      </span>
      <span class={styles.text} dir="auto">
        <Show when={props.line.kind !== "same"}>
          <span class="visually-hidden">{t.kinds[props.line.kind]} </span>
        </Show>
        <For each={props.line.pieces}>{(piece) => (piece.isChanged ? <mark>{piece.text}</mark> : piece.text)}</For>
      </span>
    </div>
  );
}

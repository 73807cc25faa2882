import { createSignal, For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { knowledge as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/feedback.tsx";
import styles from "./knowledge.module.css";
import { documentPassages, PASSAGES_SHOWN } from "./queries.ts";

/** The passages of a document as searches find them. They are loaded when they are opened. */
export function Passages(props: { document: Body<"Document"> }) {
  const [isOpen, setOpen] = createSignal(false);
  return (
    <Show when={props.document.chunks > 0}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t.passages(props.document.chunks)}</summary>
        <Show when={isOpen()}>
          <PassageList document={props.document} />
        </Show>
      </details>
    </Show>
  );
}

function PassageList(props: { document: Body<"Document"> }) {
  const [offset, setOffset] = createSignal(0);
  const passages = useQuery(() => documentPassages(props.document, offset()));
  return (
    <Loaded query={passages}>
      {(found) => (
        <>
          <ol class={styles.passages} start={offset() + 1}>
            <For each={found().chunks}>
              {({ heading, text }) => (
                <li>
                  <Show when={heading}>
                    <strong>{heading}</strong>
                  </Show>
                  <p class={styles.found} dir="auto">
                    {text}
                  </p>
                </li>
              )}
            </For>
          </ol>
          <div class={styles.turning}>
            <Show when={offset() > 0}>
              <Button small onClick={() => setOffset(offset() - PASSAGES_SHOWN)}>
                {t.earlier}
              </Button>
            </Show>
            <Show when={offset() + PASSAGES_SHOWN < found().total}>
              <Button small onClick={() => setOffset(offset() + PASSAGES_SHOWN)}>
                {t.later}
              </Button>
            </Show>
          </div>
        </>
      )}
    </Loaded>
  );
}

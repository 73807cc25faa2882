import { keepPreviousData } from "@tanstack/query-core";
import { createSignal, For, type JSX, Show } from "solid-js";
import { inOrder } from "../../../api/in-order.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Loaded } from "../../../ui/feedback.tsx";
import { sameRows } from "../../../ui/same-rows.ts";
import { SearchField } from "../../../ui/search-field.tsx";
import { notifyFailure } from "../../../ui/toast.tsx";
import type { Candidate } from "./candidates.ts";
import styles from "./knowledge.module.css";

const t = agents.knowledge;

/** Dialog that lists the account's tools, playbooks or FAQs and attaches them one at a time. */
export function AttachDialog(props: {
  title: string;
  candidates: (search: string) => {
    queryKey: readonly unknown[];
    queryFn: (context: { signal: AbortSignal }) => Promise<Candidate[]>;
  };
  isAttached: (candidate: Candidate) => boolean;
  attach: (key: string) => Promise<unknown>;
  note?: JSX.Element;
  mark?: (candidate: Candidate) => JSX.Element;
  /** Shown if the account has none. */
  empty: JSX.Element;
  onClose: () => void;
}) {
  const [search, setSearch] = createSignal("");
  const [busy, setBusy] = createSignal<string[]>([]);
  const query = useQuery(() => ({ ...props.candidates(search()), placeholderData: keepPreviousData }));
  // Sent in order, because the text that was attached last is the first that no longer fits.
  const send = inOrder();
  const attach = async ({ key }: Candidate) => {
    setBusy((keys) => [...keys, key]);
    try {
      await send(() => props.attach(key));
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy((keys) => keys.filter((other) => other !== key));
    }
  };
  return (
    <Dialog
      title={props.title}
      wide
      onClose={props.onClose}
      footer={<Button onClick={() => props.onClose()}>{t.done}</Button>}
    >
      {props.note}
      <SearchField value={search()} onInput={setSearch} />
      <div class={styles.candidates}>
        <Loaded query={query}>
          {(found) => {
            const rows = sameRows(found, ({ key }) => key);
            return (
              <Show
                when={found().length > 0}
                fallback={<div class="muted">{search() === "" ? props.empty : t.noMatch}</div>}
              >
                <ul class={styles.rows}>
                  <For each={rows()}>
                    {(candidate) => (
                      <li class={styles.candidate}>
                        <div class={styles.what}>
                          <strong>{candidate.title}</strong> <code class="muted">{candidate.name}</code>
                          <p class={`muted ${styles.excerpt}`}>{candidate.description}</p>
                        </div>
                        <Show
                          when={!props.isAttached(candidate)}
                          fallback={
                            <span class={`muted ${styles.attached}`}>
                              {props.mark?.(candidate)} {t.attached}
                            </span>
                          }
                        >
                          <Button
                            small
                            aria-label={t.attachThis(candidate.title)}
                            busy={busy().includes(candidate.key)}
                            onClick={() => void attach(candidate)}
                          >
                            {t.attach}
                          </Button>
                        </Show>
                      </li>
                    )}
                  </For>
                </ul>
              </Show>
            );
          }}
        </Loaded>
      </div>
    </Dialog>
  );
}

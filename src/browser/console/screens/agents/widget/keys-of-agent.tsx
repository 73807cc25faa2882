import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import { widgetKeyList } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { EmbedCode } from "../../../ui/embed-code.tsx";
import { Loaded, Skeleton } from "../../../ui/feedback.tsx";
import { Badge } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import styles from "./widget.module.css";

const t = agents.widget;

export function KeysOfAgent() {
  const agent = useAgent();
  const query = useQuery(widgetKeyList);
  return (
    <section class={styles.keys} aria-label={t.keys}>
      <h3>{t.keys}</h3>
      <Loaded query={query} skeleton={<Skeleton lines={1} />}>
        {(keys) => (
          <ul class={styles.list}>
            <For each={keys().filter(({ agent_id }) => agent_id === agent().id)} fallback={<li>{t.noKeys}</li>}>
              {(key) => (
                <li>
                  <A href={`/widget-keys/${key.id}`}>{key.name}</A>{" "}
                  <span class="muted">
                    {key.domain_allowlist.length > 0 ? key.domain_allowlist.join(", ") : t.nowhere}
                  </span>{" "}
                  <Show when={key.disabled_at} fallback={<EmbedCode keyId={key.id} />}>
                    <Badge tone="warn">{t.keyDisabled}</Badge>
                  </Show>
                </li>
              )}
            </For>
          </ul>
        )}
      </Loaded>
      <A href="/widget-keys">{t.toKeys}</A>
    </section>
  );
}

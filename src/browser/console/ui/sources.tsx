import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import type { Body } from "../api/client.ts";
import { knowledge as t } from "../texts/index.ts";

/** The passages on which a turn of an agent is based, with links to their documents. */
export function Sources(props: { of: Body<"TurnSource">[] }) {
  return (
    <Show when={props.of.length > 0}>
      <ul class="muted" aria-label={t.sources}>
        <For each={props.of}>
          {({ document_id, chunk, heading }) => (
            <li>
              <A href={`/knowledge/${document_id}`}>{t.source(heading, chunk)}</A>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

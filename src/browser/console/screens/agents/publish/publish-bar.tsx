import { A } from "@solidjs/router";
import { Match, Show, Switch } from "solid-js";
import { useQuery } from "../../../api/use-query.ts";
import { agentVersions } from "../../../texts/index.ts";
import { awaitsService } from "../../../ui/in-service.ts";
import { useAgent } from "../agent-context.ts";
import { versionChanges } from "../queries.ts";
import { fieldInWords } from "../versions/field-words.ts";
import styles from "./publish.module.css";
import { PublishButton } from "./publish-button.tsx";

const t = agentVersions.bar;

/** Maximum number of changed fields that are named; the rest are counted. */
const MOST_NAMED = 4;

/** Shows the unpublished changes of an agent whose changes go live when published. */
export function PublishBar() {
  const agent = useAgent();
  const published = () => agent().published_version;
  const changes = useQuery(() => ({
    ...versionChanges(agent().id, String(published()), "draft"),
    enabled: agent().versioning === "manual" && published() !== null,
  }));
  const names = () => [...new Set(changes.data?.changes.map(({ field }) => fieldInWords(field)) ?? [])];
  const named = () => {
    const [all, shown] = [names(), names().slice(0, MOST_NAMED)];
    return all.length > shown.length ? [...shown, t.more(all.length - shown.length)] : shown;
  };
  const isChanged = () => names().length > 0;
  return (
    <Show when={agent().versioning === "manual" && !awaitsService(agent())}>
      <section class={styles.bar} data-changed={isChanged() ? "" : undefined} aria-label={t.label}>
        <div class={styles.words}>
          <Switch>
            <Match when={changes.isLoadingError}>
              <span class="muted">{t.unknown}</span>
            </Match>
            <Match when={isChanged()}>
              <strong>{t.changes(changes.data?.changes.length ?? 0, published() ?? 0)}</strong>
              <span class="muted">{named().join(", ")}</span>
            </Match>
            <Match when={changes.data}>
              <span class="muted">{t.same(published() ?? 0)}</span>
            </Match>
          </Switch>
        </div>
        <Show when={isChanged()}>
          <div class="row">
            <A class={styles.link} href={`/agents/${agent().id}/versions?version=draft`}>
              {t.show}
            </A>
            <PublishButton kind="primary" />
          </div>
        </Show>
      </section>
    </Show>
  );
}

import { For, Match, Show, Switch } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { authority } from "../../../api/may.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { confirmed } from "../../../ui/confirm.tsx";
import { Loaded, Skeleton } from "../../../ui/feedback.tsx";
import { useFilters } from "../../../ui/filters.ts";
import { Section } from "../../../ui/page.tsx";
import { notify } from "../../../ui/toast.tsx";
import { Badge, Time } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { agentChanged, promptVersions } from "../queries.ts";
import { Changes } from "../versions/changes.tsx";
import styles from "../versions/versions.module.css";

type Version = Body<"AgentPrompt">;
const t = agents.promptHistory;

/** Every text the prompt has had, how each differs from the one in use, and the way back to it. */
export default function PromptHistory() {
  const agent = useAgent();
  const query = useQuery(() => promptVersions(agent().id));
  return (
    <Loaded query={query} skeleton={<Skeleton rows lines={4} />}>
      {(found) => <Chosen versions={found().prompts} />}
    </Loaded>
  );
}

function Chosen(props: { versions: Version[] }) {
  const filters = useFilters("version");
  const active = () => props.versions.find((version) => version.active);
  /** The version in the address, or else the newest. */
  const chosen = () =>
    props.versions.find(({ version }) => String(version) === filters.get("version")) ?? props.versions[0];
  return (
    <div class={styles.versions}>
      <nav class={styles.list} aria-label={t.title}>
        <For each={props.versions}>
          {(version) => (
            <a
              href={`?version=${version.version}`}
              replace
              noScroll
              class={styles.version}
              aria-current={version.id === chosen()?.id ? "true" : undefined}
            >
              <span class={styles.name}>
                {t.version(version.version)}
                <Show when={version.active}>
                  <Badge tone="ok">{t.active}</Badge>
                </Show>
              </span>
              <span class="muted">
                {authorOf(version)}, <Time at={version.created_at} />
              </span>
            </a>
          )}
        </For>
      </nav>
      <Show when={chosen()}>
        {(version) => <OneVersion version={version()} active={active()} versions={props.versions} />}
      </Show>
    </div>
  );
}

function OneVersion(props: { version: Version; active: Version | undefined; versions: Version[] }) {
  const agent = useAgent();
  const previous = () => props.versions.find(({ version }) => version < props.version.version);
  const activate = () => {
    const { id, version } = props.version;
    const question = { title: t.activateTitle(version), body: t.activateBody(agent().name), verb: t.activate(version) };
    return confirmed(question, async () => {
      const path = { id: agent().id, promptId: id };
      await agentChanged(await data(api.POST("/api/v1/agents/{id}/prompts/{promptId}/activate", { params: { path } })));
      notify(t.activated(version));
    });
  };
  return (
    <Switch
      fallback={
        <Section
          title={t.against(props.version.version, props.active?.version ?? 0)}
          actions={
            <Button needs="activateAgentPrompt" kind="primary" onClick={() => void activate()}>
              {t.activate(props.version.version)}
            </Button>
          }
        >
          <Changes before={props.active?.system_prompt ?? ""} after={props.version.system_prompt} />
        </Section>
      }
    >
      <Match when={props.version.active && previous()}>
        {(before) => (
          <Section title={t.since(props.version.version, before().version)}>
            <Changes before={before().system_prompt} after={props.version.system_prompt} />
          </Section>
        )}
      </Match>
      <Match when={props.version.active}>
        <Section title={t.version(props.version.version)}>
          <p class="muted">{t.only}</p>
          <Show when={props.version.system_prompt}>
            <pre class={styles.whole}>{props.version.system_prompt}</pre>
          </Show>
        </Section>
      </Match>
    </Switch>
  );
}

/** Who wrote a version, in words. */
function authorOf({ created_by }: Version): string {
  const [kind, id] = created_by.includes(":") ? created_by.split(":") : ["", created_by];
  if (id === authority()?.user_id) return t.byYou;
  return kind === "api_key" ? t.byKey : t.byOthers;
}

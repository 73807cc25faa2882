import { A, useParams } from "@solidjs/router";
import { createSignal, For, type JSX, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { agentList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { marketplace as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Note } from "../../ui/feedback.tsx";
import { Stack } from "../../ui/layout.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Section, SidePanel } from "../../ui/page.tsx";
import { Tags } from "../../ui/tags-field.tsx";
import { Facts } from "../../ui/values.tsx";
import { InstallDialog } from "./install-dialog.tsx";
import styles from "./marketplace.module.css";
import { templateById } from "./queries.ts";
import { TemplateNeeds } from "./template-needs.tsx";

export default function TemplatePanel() {
  const params = useParams<{ id: string }>();
  const [isInstalling, setInstalling] = createSignal(false);
  const template = useQuery(() => templateById(params.id));
  return (
    <SidePanel
      title={template.data?.name ?? t.title}
      lead={<Show when={template.data}>{(found) => <>{t.version(found().version, found().author)}</>}</Show>}
      closeTo="/marketplace"
      actions={
        <Button needs="installTemplate" kind="primary" disabled={!template.data} onClick={() => setInstalling(true)}>
          {t.install}
        </Button>
      }
    >
      <Loaded query={template}>
        {(found) => (
          <>
            <Preview template={found()} />
            <Show when={isInstalling()}>
              <InstallDialog template={found()} onClose={() => setInstalling(false)} />
            </Show>
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

function Preview(props: { template: Body<"AgentTemplate"> }) {
  return (
    <>
      <p>{props.template.description}</p>
      <Tags of={props.template.tags} />
      <AgentsOfTemplate id={props.template.id} />
      <Section title={t.needs}>
        <TemplateNeeds template={props.template} />
      </Section>
      <Section title={t.greeting}>
        <p dir="auto">“{props.template.greeting_message}”</p>
      </Section>
      <Section title={t.prompt}>
        <section class={styles.prompt} aria-label={t.prompt} tabindex="0">
          <Markdown text={props.template.system_prompt} />
        </section>
      </Section>
      <Items title={t.playbooks} of={props.template.playbooks}>
        {({ display_name, description }) => <Item name={display_name} what={description} />}
      </Items>
      <Items title={t.tools} of={props.template.tools}>
        {({ name, description }) => <Item name={formatName(name)} what={description} />}
      </Items>
      <Items title={t.faqs} of={props.template.knowledge_items}>
        {({ title, summary }) => <Item name={title} what={summary} />}
      </Items>
      <Facts
        of={[
          [t.model, () => props.template.llm_model],
          [
            t.voice,
            () => (
              <>
                {formatName(props.template.voice_provider)}: {props.template.voice_id}
              </>
            ),
          ],
        ]}
      />
    </>
  );
}

function Items<T>(props: { title: string; of: T[]; children: (item: T) => JSX.Element }) {
  return (
    <Show when={props.of.length > 0}>
      <Section title={`${props.title} (${props.of.length})`}>
        <Stack as="ul" gap={8}>
          <For each={props.of}>{(item) => <li>{props.children(item)}</li>}</For>
        </Stack>
      </Section>
    </Show>
  );
}

function Item(props: { name: string; what: string }) {
  return (
    <>
      <h3>{props.name}</h3>
      <p class="muted">{props.what}</p>
    </>
  );
}

function AgentsOfTemplate(props: { id: string }) {
  const agents = useQuery(agentList);
  const created = () => (agents.data ?? []).filter(({ template_id }) => template_id === props.id);
  return (
    <Show when={created().length > 0}>
      <Note tone="info">
        {t.created(created().length)}
        <Stack as="ul" gap={8}>
          <For each={created()}>
            {(agent) => (
              <li>
                <A href={`/agents/${agent.id}`}>{agent.name}</A>
              </li>
            )}
          </For>
        </Stack>
      </Note>
    </Show>
  );
}

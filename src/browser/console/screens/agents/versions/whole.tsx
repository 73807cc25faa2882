import { For, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { formatName } from "../../../texts/format.ts";
import { agentVersions as t } from "../../../texts/index.ts";
import { Loaded, Skeleton } from "../../../ui/feedback.tsx";
import { namesOf } from "../../../ui/names-of.ts";
import { Section } from "../../../ui/page.tsx";
import { Facts } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { agentVersion } from "../queries.ts";
import styles from "./difference.module.css";
import { fieldInWords, valueInWords } from "./field-words.ts";

type Content = Body<"AgentContent">;

const APART = ["system_prompt", "greeting_message", "tools", "playbooks", "faqs", "knowledge"];

export function WholeVersion(props: { number: number }) {
  const agent = useAgent();
  const version = useQuery(() => agentVersion(agent().id, props.number));
  return (
    <Loaded query={version} skeleton={<Skeleton lines={8} />}>
      {(found) => <Whole content={found().agent} />}
    </Loaded>
  );
}

function Whole(props: { content: Content }) {
  const settings = () => namesOf(props.content).filter((name) => !APART.includes(name));
  const lists = () => [
    { title: t.kinds.tools, items: props.content.tools.map((tool) => itemOf(tool, tool.enabled ? "" : t.whole.off)) },
    { title: t.kinds.playbooks, items: props.content.playbooks.map((item) => itemOf(item)) },
    { title: t.kinds.faqs, items: props.content.faqs.map((item) => itemOf(item)) },
    {
      title: t.kinds.knowledge,
      items: props.content.knowledge.map(({ title, mode }) => ({ name: title, more: mode, text: "" })),
    },
  ];
  return (
    <>
      <Text title={t.whole.saidFirst} text={props.content.greeting_message} />
      <Text title={t.whole.prompt} text={props.content.system_prompt} />
      <For each={lists()}>
        {({ title, items }) => (
          <Section title={formatName(title)}>
            <Show when={items.length > 0} fallback={<p class="muted">{t.whole.none}</p>}>
              <For each={items}>
                {({ name, more, text }) => (
                  <details class={styles.item}>
                    <summary>
                      {name} <span class="muted">{more}</span>
                    </summary>
                    <pre class={styles.whole}>{text}</pre>
                  </details>
                )}
              </For>
            </Show>
          </Section>
        )}
      </For>
      <Section title={t.whole.settings}>
        <Facts
          of={settings().map((name) => [
            fieldInWords(name),
            () => <span class={styles.lines}>{valueInWords(name, props.content[name]) || t.whole.none}</span>,
          ])}
        />
      </Section>
    </>
  );
}

/** Returns an attachment of the agent with its name as the title. */
function itemOf({ id: _, name, ...rest }: { id: string; name: string }, more = "") {
  return { name, more, text: valueInWords("", rest) };
}

function Text(props: { title: string; text: string }) {
  return (
    <Section title={props.title}>
      <Show when={props.text} fallback={<p class="muted">{t.whole.none}</p>}>
        <pre class={styles.whole} dir="auto">
          {props.text}
        </pre>
      </Show>
    </Section>
  );
}

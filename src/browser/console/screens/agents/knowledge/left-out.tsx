import { For, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { agents } from "../../../texts/index.ts";
import { Note } from "../../../ui/feedback.tsx";
import { Badge } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";

const t = agents.knowledge.leftOut;

type LeftOut = Body<"Agent">["left_out"][number];

/**
 * Lists the playbooks and FAQs that are left out of the open agent's conversations, and says what to do. Shows nothing
 * if all of them fit.
 */
export function LeftOutNote() {
  const agent = useAgent();
  const titleOf = ({ kind, name }: LeftOut) => {
    const { playbooks, faqs } = agent();
    if (kind === "playbook") return t.playbook(playbooks.find((one) => one.name === name)?.display_name ?? name);
    return t.faq(faqs.find((one) => one.name === name)?.title ?? name);
  };
  return (
    <Show when={agent().left_out.length > 0}>
      <div role="status">
        <Note tone="warn">
          <strong>{t.title}</strong>
          <p>{t.lead}</p>
          <ul>
            <For each={agent().left_out}>{(one) => <li>{titleOf(one)}</li>}</For>
          </ul>
          <p class="muted">{t.next}</p>
        </Note>
      </div>
    </Show>
  );
}

/** Marks a playbook or FAQ that is left out of the open agent's conversations. */
export function LeftOutBadge(props: LeftOut) {
  const agent = useAgent();
  const isLeftOut = () => agent().left_out.some(({ kind, name }) => kind === props.kind && name === props.name);
  return (
    <Show when={isLeftOut()}>
      <Badge tone="warn">{t.badge}</Badge>
    </Show>
  );
}

import { A } from "@solidjs/router";
import { createSignal, For, type JSX, Show } from "solid-js";
import { lackedTools } from "../../../api/built-in-tools.ts";
import { api, type Body, data } from "../../../api/client.ts";
import type { Operation } from "../../../api/may.ts";
import { agents } from "../../../texts/index.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/feedback.tsx";
import { X } from "../../../ui/icons.tsx";
import { Section } from "../../../ui/page.tsx";
import { notifyFailure } from "../../../ui/toast.tsx";
import { Badge } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { agentChanged } from "../queries.ts";
import { AttachDialog } from "./attach-dialog.tsx";
import { faqCandidates, playbookCandidates } from "./candidates.ts";
import styles from "./knowledge.module.css";
import { LeftOutBadge, LeftOutNote } from "./left-out.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import { createOrder } from "./order.ts";

const t = agents.knowledge;
/** The API's names of the kinds in `left_out`. */
const KIND = { playbooks: "playbook", faqs: "faq" } as const;

export function PlaybooksOfAgent() {
  const agent = useAgent();
  const id = () => agent().id;
  /** Returns the tools that a playbook uses and the agent lacks. */
  const lacking = ({ tool_names }: Body<"AgentPlaybook">) => lackedTools(tool_names, agent().tools);
  return (
    <Attached
      kind="playbooks"
      words={t.playbooks}
      needs={{ attach: "attachAgentPlaybook", detach: "detachAgentPlaybook" }}
      items={agent().playbooks}
      row={(playbook) => (
        <>
          <A href={`/playbooks/${playbook.id}`} class={styles.title}>
            {playbook.display_name}
          </A>{" "}
          <LeftOutBadge kind="playbook" name={playbook.name} />
          <p class={`muted ${styles.excerpt}`}>{playbook.description}</p>
          <Show when={lacking(playbook).length > 0}>
            <p>
              <Badge tone="warn">{t.playbooks.lacks}</Badge> {t.playbooks.lacksTools(lacking(playbook).join(", "))}
            </p>
          </Show>
        </>
      )}
      titleOf={({ display_name }) => display_name}
      candidates={playbookCandidates}
      attach={(playbook_id) =>
        data(api.POST("/api/v1/agents/{id}/playbooks", { params: { path: { id: id() } }, body: { playbook_id } }))
      }
      detach={(playbookId) =>
        data(api.DELETE("/api/v1/agents/{id}/playbooks/{playbookId}", { params: { path: { id: id(), playbookId } } }))
      }
    />
  );
}

export function FaqsOfAgent() {
  const agent = useAgent();
  const id = () => agent().id;
  return (
    <Attached
      kind="faqs"
      words={t.faqs}
      needs={{ attach: "attachAgentFaq", detach: "detachAgentFaq" }}
      items={agent().faqs}
      row={(faq) => (
        <>
          <A href={`/faqs/${faq.id}`} class={styles.title}>
            {faq.title}
          </A>{" "}
          <LeftOutBadge kind="faq" name={faq.name} />
          <p class={`muted ${styles.excerpt}`}>{faq.content}</p>
        </>
      )}
      titleOf={({ title }) => title}
      candidates={faqCandidates}
      attach={(faq_id) =>
        data(api.POST("/api/v1/agents/{id}/faqs", { params: { path: { id: id() } }, body: { faq_id } }))
      }
      detach={(faqId) =>
        data(api.DELETE("/api/v1/agents/{id}/faqs/{faqId}", { params: { path: { id: id(), faqId } } }))
      }
    />
  );
}

/** The attachments of one kind, with a button to attach more. */
function Attached<Item extends { id: string }>(props: {
  kind: "playbooks" | "faqs";
  words: typeof t.faqs;
  needs: { attach: Operation; detach: Operation };
  items: Item[];
  row: (item: Item) => JSX.Element;
  titleOf: (item: Item) => string;
  candidates: typeof faqCandidates;
  attach: (id: string) => Promise<Body<"Agent">>;
  detach: (id: string) => Promise<unknown>;
}) {
  const [isAttaching, setAttaching] = createSignal(false);
  const order = createOrder(props.kind, () => props.items.map(({ id }) => id));
  const detach = async (id: string) => {
    try {
      await props.detach(id);
      await agentChanged();
    } catch (error) {
      notifyFailure(error);
    }
  };
  const add = () => (
    <Button needs={props.needs.attach} onClick={() => setAttaching(true)}>
      {props.words.attach}
    </Button>
  );
  return (
    <Section title={props.words.title} actions={<Show when={props.items.length > 0}>{add()}</Show>}>
      <p class="muted">{props.words.lead}</p>
      <Show
        when={props.items.length > 0}
        fallback={
          <Empty title={props.words.emptyTitle} action={add()}>
            {props.words.empty}
          </Empty>
        }
      >
        <ol class={styles.rows}>
          <For each={order.shown()}>
            {(shown, index) => (
              <Show when={props.items.find(({ id }) => id === shown)}>
                {(item) => (
                  <li class={styles.row}>
                    <div class={styles.what}>{props.row(item())}</div>
                    <div class={styles.buttons}>
                      <MoveButtons
                        title={props.titleOf(item())}
                        index={index()}
                        count={order.shown().length}
                        move={(step) => void order.move(shown, step)}
                      />
                      <IconButton
                        needs={props.needs.detach}
                        icon={X}
                        label={t.detachThis(props.titleOf(item()))}
                        onClick={() => void detach(shown)}
                      />
                    </div>
                  </li>
                )}
              </Show>
            )}
          </For>
        </ol>
      </Show>
      <Show when={isAttaching()}>
        <AttachDialog
          title={props.words.attachTitle}
          candidates={props.candidates}
          isAttached={({ key }) => props.items.some(({ id }) => id === key)}
          attach={async (key) => agentChanged(await props.attach(key))}
          note={<LeftOutNote />}
          mark={({ name }) => <LeftOutBadge kind={KIND[props.kind]} name={name} />}
          empty={props.words.none}
          onClose={() => setAttaching(false)}
        />
      </Show>
    </Section>
  );
}

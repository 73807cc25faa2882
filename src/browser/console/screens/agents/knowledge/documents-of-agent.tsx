import { A } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { inOrder } from "../../../api/in-order.ts";
import { may } from "../../../api/may.ts";
import { agents } from "../../../texts/index.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { DocumentState } from "../../../ui/document-state.tsx";
import { Empty } from "../../../ui/feedback.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { X } from "../../../ui/icons.tsx";
import { optionsOf } from "../../../ui/options.ts";
import { Section } from "../../../ui/page.tsx";
import { notifyFailure } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { agentChanged } from "../queries.ts";
import { AttachDialog } from "./attach-dialog.tsx";
import { documentCandidates } from "./candidates.ts";
import styles from "./knowledge.module.css";

type AgentDocument = Body<"AgentDocument">;
const { documents: t, detachThis } = agents.knowledge;
const MODES = optionsOf(t.modes);

/** The agent's documents, and whether each is searched or put into the prompt. */
export function DocumentsOfAgent() {
  const agent = useAgent();
  const [isAttaching, setAttaching] = createSignal(false);
  const id = () => agent().id;
  const attach = async (document_id: string, mode: AgentDocument["mode"] = "auto") => {
    const params = { path: { id: id() } };
    await agentChanged(await data(api.POST("/api/v1/agents/{id}/knowledge", { params, body: { document_id, mode } })));
  };
  const change = async (document_id: string, mode: AgentDocument["mode"]) => {
    try {
      await attach(document_id, mode);
    } catch (error) {
      notifyFailure(error);
    }
  };
  const detach = async (documentId: string) => {
    const params = { path: { id: id(), documentId } };
    try {
      await data(api.DELETE("/api/v1/agents/{id}/knowledge/{documentId}", { params }));
      await agentChanged();
    } catch (error) {
      notifyFailure(error);
    }
  };
  const add = () => (
    <Button needs="attachAgentDocument" onClick={() => setAttaching(true)}>
      {t.attach}
    </Button>
  );
  return (
    <Section title={t.title} actions={<Show when={agent().knowledge.length > 0}>{add()}</Show>}>
      <p class="muted">{t.lead}</p>
      <Show
        when={agent().knowledge.length > 0}
        fallback={
          <Empty title={t.emptyTitle} action={add()}>
            {t.empty}
          </Empty>
        }
      >
        <ul class={styles.rows}>
          <For each={agent().knowledge.map(({ document_id }) => document_id)}>
            {(shown) => (
              <Show when={agent().knowledge.find(({ document_id }) => document_id === shown)}>
                {(document) => <OneDocument document={document()} change={change} detach={detach} />}
              </Show>
            )}
          </For>
        </ul>
        <p class="muted">{t.modesHint}</p>
      </Show>
      <Show when={isAttaching()}>
        <AttachDialog
          title={t.attachTitle}
          candidates={documentCandidates}
          isAttached={({ key }) => agent().knowledge.some(({ document_id }) => document_id === key)}
          attach={(key) => attach(key)}
          empty={t.none}
          onClose={() => setAttaching(false)}
        />
      </Show>
    </Section>
  );
}

function OneDocument(props: {
  document: AgentDocument;
  change: (id: string, mode: AgentDocument["mode"]) => Promise<void>;
  detach: (id: string) => Promise<void>;
}) {
  /** The mode that is being stored. If it is refused, the stored mode is shown again. */
  const [chosen, setChosen] = createSignal<AgentDocument["mode"] | null>(null);
  // Otherwise, the mode chosen before could be stored last, or attach the document again after it was detached.
  const send = inOrder();
  const change = async (mode: AgentDocument["mode"]) => {
    setChosen(mode);
    await send(() => props.change(props.document.document_id, mode));
    if (chosen() === mode) setChosen(null);
  };
  return (
    <li class={`${styles.row} ${styles.ofDocument}`}>
      <div class={styles.what}>
        <A href={`/knowledge/${props.document.document_id}`} class={styles.title}>
          {props.document.title}
        </A>
        <Show when={props.document.status !== "ready"}>
          <div>
            <DocumentState of={{ status: props.document.status, reason: null }} />
          </div>
        </Show>
      </div>
      <div class={styles.document}>
        <SelectField
          label={t.modeOf(props.document.title)}
          labelHidden
          value={chosen() ?? props.document.mode}
          options={MODES}
          disabled={!may("attachAgentDocument")}
          onInput={(mode) => void change(mode)}
        />
        <IconButton
          needs="detachAgentDocument"
          icon={X}
          label={detachThis(props.document.title)}
          onClick={() => void send(() => props.detach(props.document.document_id))}
        />
      </div>
    </li>
  );
}

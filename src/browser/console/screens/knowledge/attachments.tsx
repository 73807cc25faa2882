import { A } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { agentList } from "../../api/lists.ts";
import { may } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { agents as agentTexts, knowledge as t } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Fields, SelectField } from "../../ui/fields.tsx";
import { X } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import { optionsOf } from "../../ui/options.ts";
import { Section } from "../../ui/page.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import styles from "./knowledge.module.css";

type Mode = Body<"AgentDocument">["mode"];
const { documents: words, detachThis } = agentTexts.knowledge;

/** The agents that have a document and how each reads it, with a form to attach it to another agent. */
export function Attachments(props: { document: Body<"Document"> }) {
  const detach = async (id: string) => {
    try {
      const params = { path: { id, documentId: props.document.id } };
      await data(api.DELETE("/api/v1/agents/{id}/knowledge/{documentId}", { params }));
      await invalidate("knowledge", "agents");
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Section title={t.fields.usedBy}>
      <Show when={props.document.used_by.length > 0} fallback={<p class="muted">{t.nobody}</p>}>
        <ul class={styles.list}>
          <For each={props.document.used_by}>
            {({ agent_id, name, mode }) => (
              <li>
                <A href={`/agents/${agent_id}/knowledge`}>{name}</A>
                <span class="muted">{words.modes[mode]}</span>
                <IconButton
                  needs="detachAgentDocument"
                  icon={X}
                  label={detachThis(name)}
                  onClick={() => void detach(agent_id)}
                />
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={may("attachAgentDocument")}>
        <Attach document={props.document} />
      </Show>
    </Section>
  );
}

function Attach(props: { document: Body<"Document"> }) {
  const agents = useQuery(agentList);
  const [agent, setAgent] = createSignal("");
  const [mode, setMode] = createSignal<Mode>("auto");
  const others = () => {
    const has = new Set(props.document.used_by.map(({ agent_id }) => agent_id));
    return (agents.data ?? []).filter(({ id }) => !has.has(id));
  };
  const options = () => [
    { value: "", label: t.chooseAgent },
    ...others().map(({ id, name }) => ({ value: id, label: name })),
  ];
  const attach = async () => {
    const id = agent();
    const body = { document_id: props.document.id, mode: mode() };
    try {
      const { name } = await data(api.POST("/api/v1/agents/{id}/knowledge", { params: { path: { id } }, body }));
      notify(t.attached(name));
      setAgent("");
      await invalidate("knowledge", "agents");
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Fields>
      <SelectField label={t.attach} value={agent()} onInput={setAgent} options={options()} />
      <SelectField
        label={t.mode}
        hint={words.modesHint}
        value={mode()}
        onInput={setMode}
        options={optionsOf(words.modes)}
      />
      <Row>
        <Button disabled={agent() === ""} onClick={() => void attach()}>
          {t.attachVerb}
        </Button>
      </Row>
    </Fields>
  );
}

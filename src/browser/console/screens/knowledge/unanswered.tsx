import { A } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { knowledge } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { TextArea, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { AgentLink, useAgents } from "../../ui/named.tsx";
import { Section } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { Time } from "../../ui/values.tsx";
import styles from "./knowledge.module.css";
import { unansweredQuestions } from "./queries.ts";

const t = knowledge.unanswered;

type Question = Body<"UnansweredQuestion">;

/** The questions for which agents found nothing, each with a form for a text that answers it. */
export function Unanswered() {
  const [open, setOpen] = createSignal<Question | null>(null);
  const agents = useAgents();
  const nameOf = (id: string) => agents()?.find((agent) => agent.id === id)?.name;
  const columns: Column<Question>[] = [
    {
      header: t.question,
      cell: ({ question, query, conversation_id }) => (
        <>
          <A href={`/conversations/${conversation_id}`}>{question || query}</A>
          <p class="muted">{t.searched(query)}</p>
        </>
      ),
    },
    { header: t.agent, cell: ({ agent_id }) => <AgentLink id={agent_id} />, minor: true },
    { header: t.times, cell: ({ times }) => formatNumber(times), numbers: true },
    { header: t.asked, cell: ({ asked_at }) => <Time at={asked_at} />, numbers: true, minor: true },
    {
      header: "",
      cell: (question) => (
        <Show when={nameOf(question.agent_id)}>
          <Button small needs="createDocument" onClick={() => setOpen(question)}>
            {t.answer}
          </Button>
        </Show>
      ),
    },
  ];
  const list = () => {
    const found = useQuery(unansweredQuestions);
    return (
      <Loaded query={found} skeleton={<Skeleton rows />}>
        {(page) => (
          <Table
            label={t.title}
            columns={columns}
            rows={page().questions}
            empty={<Empty title={t.none}>{t.noneLead}</Empty>}
          />
        )}
      </Loaded>
    );
  };
  return (
    <Show when={may("listUnansweredQuestions")}>
      <Section title={t.title}>
        <p class="muted">{t.lead}</p>
        {list()}
      </Section>
      <Show when={open()} keyed>
        {(question) => (
          <AnswerForm question={question} agent={nameOf(question.agent_id) ?? ""} onClose={() => setOpen(null)} />
        )}
      </Show>
    </Show>
  );
}

/**
 * Quotes the question but prefills no field, because a caller's words must not become a text of the account unchanged.
 */
function AnswerForm(props: { question: Question; agent: string; onClose: () => void }) {
  const { agent_id, question, query } = props.question;
  const form = createForm({
    initial: { title: "", text: "" },
    save: async (body) => {
      const { id } = await data(api.POST("/api/v1/knowledge", { body }));
      const path = { id: agent_id };
      await data(api.POST("/api/v1/agents/{id}/knowledge", { params: { path }, body: { document_id: id } }));
      await invalidate("knowledge", "agents");
      notify(t.added(props.agent));
      props.onClose();
    },
  });
  return (
    <Dialog title={t.answerTitle} onClose={props.onClose}>
      <blockquote class={styles.found}>{question || query}</blockquote>
      <FieldsForm needs="createDocument" form={form} verb={t.add}>
        <TextField label={knowledge.fields.title} {...form.field("title")} maxlength={200} required />
        <TextArea label={t.text} hint={t.textHint(props.agent)} rows={6} {...form.field("text")} required />
      </FieldsForm>
    </Dialog>
  );
}

import { A } from "@solidjs/router";
import { createMemo } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { storedBy } from "../../../api/use-query.ts";
import { formatNumber } from "../../../texts/format.ts";
import { common, agents as t } from "../../../texts/index.ts";
import { changesOf } from "../../../ui/changes.ts";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { SaveBar } from "../../../ui/save-bar.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { notify } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { agentById, agentChanged } from "../queries.ts";
import styles from "./prompt.module.css";
import { TemplateArea } from "./template-area.tsx";
import { VariableList } from "./variable-list.tsx";
import { offeredVariables, variablesIn } from "./variables.ts";

export default function Prompt() {
  const agent = useAgent();
  const { id } = agent();
  const form = createForm({
    initial: textsOf(agent()),
    stored: storedBy(agent(), agentById(id), textsOf),
    save: async (texts, before, headers) => {
      const body = changesOf(before, texts);
      const saved = await data(api.PATCH("/api/v1/agents/{id}", { params: { path: { id } }, body, headers }));
      await agentChanged(saved);
      notify(common.saved);
      return saved;
    },
  });
  const kilobytes = createMemo(() => Math.ceil(new TextEncoder().encode(form.values.system_prompt).length / 1024));
  const texts = () => [form.values.greeting_message, form.values.voicemail_message, form.values.system_prompt];
  const variables = createMemo(() => variablesIn(...texts()));
  const offered = createMemo(() => offeredVariables(...texts()));
  return (
    <ScopedForm needs="updateAgent" onSubmit={form.submit} class={styles.editor}>
      <div class="stack">
        <FormProblem form={form} />
        <TemplateArea
          label={t.fields.greeting}
          hint={t.hints.greeting}
          {...form.field("greeting_message")}
          offered={offered()}
          maxlength={5_000}
          rows={3}
        />
        <TemplateArea
          label={t.fields.voicemail}
          hint={t.hints.voicemail}
          {...form.field("voicemail_message")}
          offered={offered()}
          maxlength={5_000}
          rows={2}
        />
        <TemplateArea
          label={t.fields.prompt}
          hint={
            <span class={styles.hint}>
              <span>{t.hints.prompt}</span>
              <span>{t.prompt.size(formatNumber(kilobytes()))}</span>
            </span>
          }
          {...form.field("system_prompt")}
          offered={offered()}
          rows={18}
          code
        />
        <SaveBar form={form}>
          {form.dirty() ? t.prompt.unsaved : agent().versioning === "manual" ? t.prompt.storedDraft : t.prompt.stored}{" "}
          <A href={`/agents/${id}/versions`}>{t.prompt.earlier}</A>
        </SaveBar>
      </div>
      <VariableList variables={variables()} />
    </ScopedForm>
  );
}

type Texts = Pick<Body<"Agent">, "greeting_message" | "voicemail_message" | "system_prompt">;

const textsOf = ({ greeting_message, voicemail_message, system_prompt }: Body<"Agent">): Texts => ({
  greeting_message,
  voicemail_message,
  system_prompt,
});

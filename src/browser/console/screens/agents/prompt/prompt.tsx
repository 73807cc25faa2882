import { A } from "@solidjs/router";
import { createMemo } from "solid-js";
import { api, data } from "../../../api/client.ts";
import { storedBy } from "../../../api/queries.ts";
import { formatNumber } from "../../../texts/format.ts";
import { common, agents as t } from "../../../texts/index.ts";
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

/** The agent's greeting and prompt. */
export default function Prompt() {
  const agent = useAgent();
  const { id, system_prompt, greeting_message } = agent();
  const form = createForm({
    initial: { system_prompt, greeting_message },
    stored: storedBy(agent(), agentById(id), ({ system_prompt, greeting_message }) => ({
      system_prompt,
      greeting_message,
    })),
    save: async (texts, before, headers) => {
      const isNewVersion = texts.system_prompt !== before.system_prompt;
      const body = {
        ...(isNewVersion && { system_prompt: texts.system_prompt }),
        ...(texts.greeting_message !== before.greeting_message && { greeting_message: texts.greeting_message }),
      };
      const changed = await data(api.PATCH("/api/v1/agents/{id}", { params: { path: { id } }, body, headers }));
      await agentChanged(changed);
      notify(common.saved);
      return changed;
    },
  });
  const kilobytes = createMemo(() => Math.ceil(new TextEncoder().encode(form.values.system_prompt).length / 1024));
  const variables = createMemo(() => variablesIn(form.values.greeting_message, form.values.system_prompt));
  const offered = createMemo(() => offeredVariables(form.values.greeting_message, form.values.system_prompt));
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
          <A href={`/agents/${id}/prompts`}>{t.promptHistory.link}</A>
        </SaveBar>
      </div>
      <VariableList variables={variables()} />
    </ScopedForm>
  );
}

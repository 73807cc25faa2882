import { A, useNavigate } from "@solidjs/router";
import { createMemo, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { common, agents as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { Page } from "../../ui/page.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { TemplateArea } from "./prompt/template-area.tsx";
import { offeredVariables } from "./prompt/variables.ts";
import { agentChanged } from "./queries.ts";

export default function NewAgent() {
  const navigate = useNavigate();
  const form = createForm({
    initial: { name: "", greeting_message: "", system_prompt: "" },
    save: async (body) => {
      const agent = await data(api.POST("/api/v1/agents", { body }));
      form.reset();
      navigate(`/agents/${agent.id}`);
      await agentChanged(agent);
    },
  });
  const offered = createMemo(() => offeredVariables(form.values.greeting_message, form.values.system_prompt));
  return (
    <Page
      title={t.add}
      lead={
        <>
          {t.new.lead} <A href="/marketplace">{t.new.template}</A>
        </>
      }
    >
      <ScopedForm needs="createAgent" onSubmit={form.submit}>
        <Fields>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <TextField label={t.fields.name} hint={t.hints.name} {...form.field("name")} maxlength={200} required />
          <TemplateArea
            label={t.fields.greeting}
            hint={t.hints.greeting}
            {...form.field("greeting_message")}
            offered={offered()}
            rows={2}
          />
          <TemplateArea
            label={t.fields.prompt}
            hint={t.hints.newPrompt}
            {...form.field("system_prompt")}
            offered={offered()}
            placeholder={t.new.promptSample}
            rows={10}
          />
          <div>
            <Button kind="primary" type="submit" busy={form.busy()}>
              {t.new.verb}
            </Button>{" "}
            <LinkButton href="/agents">{common.cancel}</LinkButton>
          </div>
        </Fields>
      </ScopedForm>
    </Page>
  );
}

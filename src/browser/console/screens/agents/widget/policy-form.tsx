import { createEffect } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { widgetPolicy } from "../../../api/lists.ts";
import { storedBy } from "../../../api/use-query.ts";
import { agents, common } from "../../../texts/index.ts";
import { changesOf } from "../../../ui/changes.ts";
import { CheckField, Fields } from "../../../ui/fields.tsx";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { SaveBar } from "../../../ui/save-bar.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { notify } from "../../../ui/toast.tsx";
import { type Who, WhoField } from "../../../ui/who-field.tsx";
import { agentChanged } from "../queries.ts";

const t = agents.widget;
type Policy = Body<"AgentWidgetSettings">;

const valuesOf = ({ who, widget_enabled }: Policy) => ({ who, widget_enabled });

/** Form for whether widgets may show this agent and who may chat. It reports every choice at once. */
export function PolicyForm(props: { policy: Policy; chosen: (who: Who) => void }) {
  const { agent_id: id } = props.policy;
  const form = createForm({
    initial: valuesOf(props.policy),
    stored: storedBy(props.policy, widgetPolicy(id), valuesOf),
    save: async (values, before, headers) => {
      const params = { path: { id } };
      // `who` also sets the agent's auth_mode.
      const body = changesOf(before, values);
      const saved = await data(api.PATCH("/api/v1/agents/{id}/widget-settings", { params, body, headers }));
      await agentChanged();
      notify(common.saved);
      return saved;
    },
  });
  createEffect(() => props.chosen(form.values.who));
  return (
    <ScopedForm needs="updateAgentWidgetSettings" onSubmit={form.submit}>
      <Fields legend={t.policy}>
        <FormProblem form={form} />
        <CheckField label={t.fields.enabled} hint={t.hints.enabled} {...form.field("widget_enabled")} />
        <WhoField {...form.field("who")} />
        <SaveBar form={form} verb={t.savePolicy} />
      </Fields>
    </ScopedForm>
  );
}

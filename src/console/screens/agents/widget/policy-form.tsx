import { A } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { queries, storedBy } from "../../../api/queries.ts";
import { agents, common } from "../../../texts/index.ts";
import { Note } from "../../../ui/feedback.tsx";
import { CheckField, Fields, SelectField } from "../../../ui/fields.tsx";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { chosen, optionsOf } from "../../../ui/options.ts";
import { SaveBar } from "../../../ui/save-bar.tsx";
import { tell } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { widgetPolicy } from "../queries.ts";

const t = agents.widget;

/** Whether this agent can be talked to through widgets, and by whom. */
export function PolicyForm(props: { policy: Body<"AgentWidgetSettings"> }) {
  const agent = useAgent();
  const { agent_id: id, auth_mode, widget_enabled } = props.policy;
  const form = createForm({
    initial: { auth_mode, widget_enabled },
    stored: storedBy(props.policy, widgetPolicy(id), ({ auth_mode, widget_enabled }) => ({
      auth_mode,
      widget_enabled,
    })),
    save: async (body, _before, headers) => {
      const params = { path: { id } };
      const saved = await data(api.PATCH("/api/v1/agents/{id}/widget-settings", { params, body, headers }));
      await queries.invalidateQueries({ queryKey: widgetPolicy(id).queryKey });
      tell(common.saved);
      return saved;
    },
  });
  const keepsGuestsOut = () => form.values.auth_mode !== "authenticated" && agent().auth_mode === "authenticated";
  return (
    <form onSubmit={form.submit}>
      <Fields legend={t.policy}>
        <FormProblem form={form} />
        <CheckField
          label={t.fields.enabled}
          hint={t.hints.enabled}
          value={form.values.widget_enabled}
          onChange={(value) => form.set("widget_enabled", value)}
          error={form.error("widget_enabled")}
        />
        <SelectField
          label={t.fields.authMode}
          value={form.values.auth_mode}
          options={optionsOf(t.authModes)}
          onChange={(value) => form.set("auth_mode", (before) => chosen(t.authModes, value) ?? before)}
          error={form.error("auth_mode")}
        />
        <Show when={keepsGuestsOut()}>
          <Note tone="warn">
            <span>
              {t.guestsKeptOut} <A href={`/agents/${id}/settings`}>{t.toSettings}</A>
            </span>
          </Note>
        </Show>
        <SaveBar form={form} verb={t.savePolicy} />
      </Fields>
    </form>
  );
}

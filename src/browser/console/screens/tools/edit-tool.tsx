import { useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { storedBy } from "../../api/queries.ts";
import { common, tools as t } from "../../texts/index.ts";
import { confirmed } from "../../ui/confirm.tsx";
import { Note } from "../../ui/feedback.tsx";
import { createForm } from "../../ui/form.ts";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { tell } from "../../ui/toast.tsx";
import { toolById, toolsChanged } from "./queries.ts";
import { changedDefinition, DefinitionFields, definitionOf } from "./tool-definition.tsx";

/** A tool's definition, to be read and changed. */
export function EditTool(props: { tool: Body<"Tool"> }) {
  const navigate = useNavigate();
  const path = { id: props.tool.id };
  const { implementation_type: type, display_name } = props.tool;
  const form = createForm({
    initial: definitionOf(props.tool),
    stored: storedBy(props.tool, toolById(props.tool.id), definitionOf),
    save: async (values, before, headers) => {
      const body = changedDefinition(before, values, type);
      const saved = await data(api.PUT("/api/v1/tools/{id}", { params: { path }, body, headers }));
      await toolsChanged();
      tell(common.saved);
      return saved;
    },
  });
  const remove = () => {
    const question = { title: t.deleteTitle(display_name), body: t.deleteBody, verb: common.delete, danger: true };
    return confirmed(question, async () => {
      await data(api.DELETE("/api/v1/tools/{id}", { params: { path } }));
      form.reset();
      navigate("/tools");
      await toolsChanged();
    });
  };
  return (
    <PanelForm form={form}>
      <Show when={props.tool.is_default}>
        <Note>{props.tool.modified_from_default ? t.modified : t.default}</Note>
      </Show>
      <DefinitionFields
        values={form.values}
        set={(name, value) => form.set({ [name]: value })}
        error={form.error}
        type={type}
      />
      <PanelFooter form={form} onDelete={props.tool.is_default ? undefined : remove} />
    </PanelForm>
  );
}

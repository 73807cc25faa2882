import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { storedBy } from "../../api/use-query.ts";
import { common, tools as t } from "../../texts/index.ts";
import { changesOf } from "../../ui/changes.ts";
import { createForm } from "../../ui/form.ts";
import { OriginNote } from "../../ui/origin.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { useDelete } from "../../ui/resource-panel.tsx";
import { notify } from "../../ui/toast.tsx";
import { DefinitionFields } from "./definition-fields.tsx";
import { toolById } from "./queries.ts";
import { definitionOf, sentDefinition } from "./tool-definition.ts";

export function EditTool(props: { tool: Body<"Tool"> }) {
  const path = { id: props.tool.id };
  const { implementation_type: type } = props.tool;
  const form = createForm({
    initial: definitionOf(props.tool),
    stored: storedBy(props.tool, toolById(props.tool.id), definitionOf),
    save: async (values, before, headers) => {
      // Sends only changes, so that an old part that would be refused today doesn't block the others.
      const body = changesOf(sentDefinition(before, type), sentDefinition(values, type));
      const saved = await data(api.PUT("/api/v1/tools/{id}", { params: { path }, body, headers }));
      await invalidate("tools");
      notify(common.saved);
      return saved;
    },
  });
  const confirmDelete = useDelete("/tools", "tools");
  const remove = () =>
    confirmDelete({ title: t.deleteTitle(props.tool.display_name), body: t.deleteBody }, () =>
      api.DELETE("/api/v1/tools/{id}", { params: { path } }),
    );
  return (
    <PanelForm needs="updateTool" form={form}>
      <OriginNote of={props.tool} />
      <DefinitionFields form={form} type={type} />
      <PanelFooter form={form} onDelete={props.tool.is_default ? undefined : remove} />
    </PanelForm>
  );
}

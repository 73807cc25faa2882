import { useNavigate } from "@solidjs/router";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { tools as t } from "../../texts/index.ts";
import { Fields, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { optionsOf } from "../../ui/options.ts";
import { SidePanel } from "../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { nameAfter } from "../../ui/slug.ts";
import { DefinitionFields } from "./definition-fields.tsx";
import { type Definition, definitionOf, sentDefinition } from "./tool-definition.ts";

interface Values extends Definition {
  name: string;
  display_name: string;
  category: string;
  implementation_type: Body<"Tool">["implementation_type"];
}

/** Initial code of a Python tool. */
const CODE = "def run(args, session):\n    return {}\n";

export default function NewTool() {
  const navigate = useNavigate();
  const form = createForm<Values>({
    initial: {
      name: "",
      display_name: "",
      category: "custom",
      implementation_type: "http",
      ...definitionOf({ implementation_config: { method: "GET", url: "" }, implementation_code: CODE }),
    },
    save: async ({ name, display_name, category, implementation_type, ...definition }) => {
      const body = {
        name,
        category,
        implementation_type,
        ...(display_name && { display_name }),
        ...sentDefinition(definition, implementation_type),
      };
      const { id } = await data(api.POST("/api/v1/tools", { body }));
      await invalidate("tools");
      form.reset();
      navigate(`/tools/${id}`);
    },
  });
  const setTitle = (display_name: string) => {
    const { name, display_name: title } = form.values;
    form.set({ display_name, name: nameAfter(display_name, { name, title }) });
  };
  return (
    <SidePanel title={t.add} closeTo="/tools">
      <PanelForm needs="createTool" form={form}>
        <Fields>
          <TextField
            label={t.fields.displayName}
            hint={t.displayNameHint}
            {...form.field("display_name")}
            onInput={setTitle}
          />
          <TextField label={t.fields.name} hint={t.nameHint} code {...form.field("name")} required />
          <TextField label={t.fields.category} hint={t.categoryHint} {...form.field("category")} required />
          <SelectField
            label={t.fields.type}
            hint={t.typeHint[form.values.implementation_type]}
            {...form.field("implementation_type")}
            options={optionsOf(t.types)}
          />
        </Fields>
        <DefinitionFields form={form} type={form.values.implementation_type} />
        <PanelFooter form={form} isNew />
      </PanelForm>
    </SidePanel>
  );
}

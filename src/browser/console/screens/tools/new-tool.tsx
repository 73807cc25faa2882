import { useNavigate } from "@solidjs/router";
import { api, type Body, data } from "../../api/client.ts";
import { tools as t } from "../../texts/index.ts";
import { Fields, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { SidePanel } from "../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { nameAfter } from "../../ui/slug.ts";
import { toolsChanged } from "./queries.ts";
import { type Definition, DefinitionFields, definitionOf, sentDefinition } from "./tool-definition.tsx";

interface Values extends Definition {
  name: string;
  display_name: string;
  category: string;
  implementation_type: Body<"Tool">["implementation_type"];
}

/** A function to begin a Python tool with. */
const CODE = "def run(args, session):\n    return {}\n";

/** A tool that is not there yet. */
export function NewTool() {
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
      await toolsChanged();
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
      <PanelForm form={form}>
        <Fields>
          <TextField
            label={t.fields.displayName}
            hint={t.displayNameHint}
            value={form.values.display_name}
            onInput={setTitle}
            error={form.error("display_name")}
          />
          <TextField
            label={t.fields.name}
            hint={t.nameHint}
            code
            value={form.values.name}
            onInput={(value) => form.set("name", value)}
            error={form.error("name")}
            required
          />
          <TextField
            label={t.fields.category}
            hint={t.categoryHint}
            value={form.values.category}
            onInput={(value) => form.set("category", value)}
            error={form.error("category")}
            required
          />
          <SelectField
            label={t.fields.type}
            hint={t.typeHint[form.values.implementation_type]}
            value={form.values.implementation_type}
            options={[
              { value: "http", label: t.types.http },
              { value: "python", label: t.types.python },
            ]}
            onChange={(value) => form.set("implementation_type", value === "python" ? "python" : "http")}
          />
        </Fields>
        <DefinitionFields
          values={form.values}
          set={(name, value) => form.set({ [name]: value })}
          error={form.error}
          type={form.values.implementation_type}
        />
        <PanelFooter form={form} isNew />
      </PanelForm>
    </SidePanel>
  );
}

import { createUniqueId, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { playbooks as t } from "../../texts/index.ts";
import { Fields, TextArea, TextField } from "../../ui/fields.tsx";
import { MarkdownField } from "../../ui/markdown-field.tsx";
import { OriginNote } from "../../ui/origin.tsx";
import { SidePanel } from "../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { createResourceForm } from "../../ui/resource-form.ts";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { nameAfter } from "../../ui/slug.ts";
import { TagsField } from "../../ui/tags-field.tsx";
import { playbookById, playbookCategories, toolNames } from "./queries.ts";

type Values = Pick<
  Body<"Playbook">,
  "name" | "display_name" | "description" | "category" | "tags" | "tool_names" | "triggers" | "content"
>;

const TEXTS = { name: "", display_name: "", description: "", category: "custom", content: "" };
const EMPTY: Values = { ...TEXTS, tags: [], tool_names: [], triggers: [] };

export default function PlaybookPanel() {
  return (
    <ResourcePanel
      query={playbookById}
      one={t.title}
      title={({ display_name }) => display_name}
      lead={(playbook) => (
        <>
          <code>{playbook().name}</code> · {formatName(playbook().category)}
        </>
      )}
      closeTo="/playbooks"
    >
      {(playbook) => <PlaybookForm playbook={playbook()} />}
    </ResourcePanel>
  );
}

export function NewPlaybook() {
  return (
    <SidePanel title={t.add} closeTo="/playbooks">
      <PlaybookForm />
    </SidePanel>
  );
}

/** The form of a playbook. The name and category can only be chosen for a new one. */
function PlaybookForm(props: { playbook?: Body<"Playbook"> }) {
  const isNew = props.playbook === undefined;
  const form = createResourceForm<Body<"Playbook">, Values>({
    of: props.playbook,
    query: playbookById,
    values: valuesOf,
    empty: EMPTY,
    create: ({ content, display_name, ...rest }) => {
      // The service fills in empty fields.
      const body = { ...rest, ...(content && { content }), ...(display_name && { display_name }) };
      return data(api.POST("/api/v1/playbooks", { body }));
    },
    update: async (id, entered, before, headers) => {
      const { name, category, content, ...rest } = entered;
      // Generated steps follow the other fields until the user edits the steps.
      const body = content === before.content ? rest : { content, ...rest };
      const saved = await data(api.PUT("/api/v1/playbooks/{id}", { params: { path: { id } }, body, headers }));
      entered.content = saved.content;
      form.set("content", saved.content);
      return saved;
    },
    list: "/playbooks",
    collection: "playbooks",
  });
  const confirmDelete = useDelete("/playbooks", "playbooks");
  const remove = () => {
    const { id = "", display_name = "" } = props.playbook ?? {};
    return confirmDelete({ title: t.deleteTitle(display_name), body: t.deleteBody }, () =>
      api.DELETE("/api/v1/playbooks/{id}", { params: { path: { id } } }),
    );
  };
  const listId = createUniqueId();
  const tools = useQuery(toolNames);
  const categories = useQuery(playbookCategories);
  const { values, set, field } = form;
  const setTitle = (display_name: string) => {
    const before = { name: values.name, title: values.display_name };
    set({ display_name, name: isNew ? nameAfter(display_name, before) : values.name });
  };
  return (
    <PanelForm needs={isNew ? "createPlaybook" : "updatePlaybook"} form={form}>
      <Show when={props.playbook}>{(playbook) => <OriginNote of={playbook()} />}</Show>
      <Fields>
        <TextField
          label={t.fields.displayName}
          hint={isNew ? t.displayNameHint : undefined}
          {...field("display_name")}
          onInput={setTitle}
        />
        <Show when={isNew}>
          <TextField label={t.fields.name} hint={t.nameHint} code {...field("name")} required />
        </Show>
        <TextArea label={t.fields.description} hint={t.descriptionHint} {...field("description")} rows={2} />
        <TagsField label={t.fields.triggers} hint={t.triggersHint} {...field("triggers")} phrases />
        <TagsField label={t.fields.tools} hint={t.toolsHint} {...field("tool_names")} suggestions={tools.data ?? []} />
      </Fields>
      <MarkdownField label={t.fields.content} hint={isNew ? t.newContentHint : t.contentHint} {...field("content")} />
      <Fields>
        <Show when={isNew}>
          <TextField label={t.fields.category} hint={t.categoryHint} {...field("category")} list={listId} required />
          <datalist id={listId}>
            <For each={categories.data ?? []}>{(category) => <option value={category} />}</For>
          </datalist>
        </Show>
        <TagsField label={t.fields.tags} {...field("tags")} />
      </Fields>
      <PanelFooter form={form} isNew={isNew} onDelete={props.playbook?.is_default === false ? remove : undefined} />
    </PanelForm>
  );
}

function valuesOf(playbook: Body<"Playbook">): Values {
  const { name, display_name, description, category, tags, tool_names, triggers, content } = playbook;
  return { name, display_name, description, category, tags, tool_names, triggers, content };
}

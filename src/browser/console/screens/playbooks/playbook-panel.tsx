import { useNavigate } from "@solidjs/router";
import { createUniqueId, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate, storedBy } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { common, playbooks as t } from "../../texts/index.ts";
import { Fields, TextArea, TextField } from "../../ui/fields.tsx";
import { createForm, type Form } from "../../ui/form.ts";
import { MarkdownField } from "../../ui/markdown-field.tsx";
import { OriginNote } from "../../ui/origin.tsx";
import { SidePanel } from "../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { nameAfter } from "../../ui/slug.ts";
import { TagsField } from "../../ui/tags-field.tsx";
import { notify } from "../../ui/toast.tsx";
import { playbookById, playbookCategories, toolNames } from "./queries.ts";

type Values = Pick<
  Body<"Playbook">,
  "name" | "display_name" | "description" | "category" | "tags" | "tool_names" | "triggers" | "content"
>;

const TEXTS = { name: "", display_name: "", description: "", category: "custom", content: "" };
const EMPTY: Values = { ...TEXTS, tags: [], tool_names: [], triggers: [] };

/** One playbook, to be read and changed. */
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
      {(playbook) => <EditPlaybook playbook={playbook()} />}
    </ResourcePanel>
  );
}

function EditPlaybook(props: { playbook: Body<"Playbook"> }) {
  const path = { id: props.playbook.id };
  const form = createForm<Values>({
    initial: valuesOf(props.playbook),
    stored: storedBy(props.playbook, playbookById(props.playbook.id), valuesOf),
    save: async (values, before, headers) => {
      const { name, category, content, ...rest } = values;
      // Generated steps follow the fields until somebody edits the steps themselves.
      const body = content === before.content ? rest : { content, ...rest };
      const saved = await data(api.PUT("/api/v1/playbooks/{id}", { params: { path }, body, headers }));
      values.content = saved.content;
      form.set("content", saved.content);
      await invalidate("playbooks");
      notify(common.saved);
      return saved;
    },
  });
  const confirmDelete = useDelete("/playbooks", "playbooks");
  const remove = () =>
    confirmDelete({ title: t.deleteTitle(props.playbook.display_name), body: t.deleteBody }, () =>
      api.DELETE("/api/v1/playbooks/{id}", { params: { path } }),
    );
  return (
    <PanelForm needs="updatePlaybook" form={form}>
      <OriginNote of={props.playbook} />
      <PlaybookFields form={form} />
      <PanelFooter form={form} onDelete={props.playbook.is_default ? undefined : remove} />
    </PanelForm>
  );
}

function valuesOf(playbook: Body<"Playbook">): Values {
  const { name, display_name, description, category, tags, tool_names, triggers, content } = playbook;
  return { name, display_name, description, category, tags, tool_names, triggers, content };
}

/** The form for a new playbook. */
export function NewPlaybook() {
  const navigate = useNavigate();
  const form = createForm<Values>({
    initial: EMPTY,
    save: async ({ content, display_name, ...rest }) => {
      // The service fills in what is left empty.
      const body = { ...rest, ...(content && { content }), ...(display_name && { display_name }) };
      const { id } = await data(api.POST("/api/v1/playbooks", { body }));
      await invalidate("playbooks");
      form.reset();
      navigate(`/playbooks/${id}`);
    },
  });
  return (
    <SidePanel title={t.add} closeTo="/playbooks">
      <PanelForm needs="createPlaybook" form={form}>
        <PlaybookFields form={form} isNew />
        <PanelFooter form={form} isNew />
      </PanelForm>
    </SidePanel>
  );
}

/** The fields of a playbook; only a new one is given its name and category. */
function PlaybookFields(props: { form: Form<Values>; isNew?: boolean }) {
  const id = createUniqueId();
  const tools = useQuery(toolNames);
  const categories = useQuery(playbookCategories);
  // Always the same form.
  const { values, set, field } = props.form;
  const setTitle = (display_name: string) => {
    const before = { name: values.name, title: values.display_name };
    set({ display_name, name: props.isNew ? nameAfter(display_name, before) : values.name });
  };
  return (
    <>
      <Fields>
        <TextField
          label={t.fields.displayName}
          hint={props.isNew ? t.displayNameHint : undefined}
          {...field("display_name")}
          onInput={setTitle}
        />
        <Show when={props.isNew}>
          <TextField label={t.fields.name} hint={t.nameHint} code {...field("name")} required />
        </Show>
        <TextArea label={t.fields.description} hint={t.descriptionHint} {...field("description")} rows={2} />
        <TagsField label={t.fields.triggers} hint={t.triggersHint} {...field("triggers")} phrases />
        <TagsField label={t.fields.tools} hint={t.toolsHint} {...field("tool_names")} suggestions={tools.data ?? []} />
      </Fields>
      <MarkdownField
        label={t.fields.content}
        hint={props.isNew ? t.newContentHint : t.contentHint}
        {...field("content")}
      />
      <Fields>
        <Show when={props.isNew}>
          <TextField label={t.fields.category} hint={t.categoryHint} {...field("category")} list={id} required />
          <datalist id={id}>
            <For each={categories.data ?? []}>{(category) => <option value={category} />}</For>
          </datalist>
        </Show>
        <TagsField label={t.fields.tags} {...field("tags")} />
      </Fields>
    </>
  );
}

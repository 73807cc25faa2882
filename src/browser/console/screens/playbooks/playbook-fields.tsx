import { createUniqueId, For, Show } from "solid-js";
import { useQuery } from "../../api/use-query.ts";
import { playbooks as t } from "../../texts/index.ts";
import { Fields, TextArea, TextField } from "../../ui/fields.tsx";
import type { createForm } from "../../ui/form.ts";
import { MarkdownField } from "../../ui/markdown-field.tsx";
import { nameAfter } from "../../ui/slug.ts";
import { TagsField } from "../../ui/tags-field.tsx";
import { playbookCategories, toolNames } from "./queries.ts";

/** What is written of a playbook. */
export interface PlaybookValues {
  name: string;
  display_name: string;
  description: string;
  category: string;
  tags: string[];
  tool_names: string[];
  triggers: string[];
  content: string;
}

/** The fields of a playbook; its name and category are asked for once. */
export function PlaybookFields(props: { form: ReturnType<typeof createForm<PlaybookValues>>; isNew?: boolean }) {
  const id = createUniqueId();
  const tools = useQuery(toolNames);
  const categories = useQuery(playbookCategories);
  // Always the same form.
  const { values, set, error } = props.form;
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
          value={values.display_name}
          onInput={setTitle}
          error={error("display_name")}
        />
        <Show when={props.isNew}>
          <TextField
            label={t.fields.name}
            hint={t.nameHint}
            code
            value={values.name}
            onInput={(value) => set("name", value)}
            error={error("name")}
            required
          />
        </Show>
        <TextArea
          label={t.fields.description}
          hint={t.descriptionHint}
          value={values.description}
          onInput={(value) => set("description", value)}
          error={error("description")}
          rows={2}
        />
        <TagsField
          label={t.fields.triggers}
          hint={t.triggersHint}
          value={values.triggers}
          onChange={(value) => set("triggers", value)}
          error={error("triggers")}
          phrases
        />
        <TagsField
          label={t.fields.tools}
          hint={t.toolsHint}
          value={values.tool_names}
          onChange={(value) => set("tool_names", value)}
          error={error("tool_names")}
          suggestions={tools.data ?? []}
        />
      </Fields>
      <MarkdownField
        label={t.fields.content}
        hint={props.isNew ? t.newContentHint : t.contentHint}
        value={values.content}
        onInput={(value) => set("content", value)}
        error={error("content")}
      />
      <Fields>
        <Show when={props.isNew}>
          <TextField
            label={t.fields.category}
            hint={t.categoryHint}
            value={values.category}
            onInput={(value) => set("category", value)}
            error={error("category")}
            list={id}
            required
          />
          <datalist id={id}>
            <For each={categories.data ?? []}>{(category) => <option value={category} />}</For>
          </datalist>
        </Show>
        <TagsField
          label={t.fields.tags}
          value={values.tags}
          onChange={(value) => set("tags", value)}
          error={error("tags")}
        />
      </Fields>
    </>
  );
}

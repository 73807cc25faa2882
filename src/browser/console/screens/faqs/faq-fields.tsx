import { createUniqueId, For } from "solid-js";
import { faqs as t } from "../../texts/index.ts";
import { Fields, TextArea, TextField } from "../../ui/fields.tsx";
import type { createForm } from "../../ui/form.ts";
import { MarkdownField } from "../../ui/markdown-field.tsx";
import { nameAfter } from "../../ui/slug.ts";
import { TagsField } from "../../ui/tags-field.tsx";

/** What is written of an FAQ. */
export interface FaqValues {
  name: string;
  title: string;
  summary: string;
  content: string;
  category: string;
  tags: string[];
}

/** The fields of an FAQ; its name is asked for once. */
export function FaqFields(props: {
  form: ReturnType<typeof createForm<FaqValues>>;
  isNew?: boolean;
  /** What others are listed under. */
  categories: string[];
}) {
  const id = createUniqueId();
  // Always the same form.
  const { values, set, error } = props.form;
  return (
    <>
      <Fields>
        <TextField
          label={t.fields.title}
          value={values.title}
          onInput={(title) => set({ title, name: props.isNew ? nameAfter(title, values) : values.name })}
          error={error("title")}
          required
        />
        {props.isNew && (
          <TextField
            label={t.fields.name}
            hint={t.nameHint}
            code
            value={values.name}
            onInput={(value) => set("name", value)}
            error={error("name")}
            required
          />
        )}
        <TextArea
          label={t.fields.summary}
          hint={t.summaryHint}
          value={values.summary}
          onInput={(value) => set("summary", value)}
          error={error("summary")}
          rows={2}
        />
      </Fields>
      <MarkdownField
        label={t.fields.content}
        hint={t.contentHint}
        value={values.content}
        onInput={(value) => set("content", value)}
        error={error("content")}
        rows={12}
        required
      />
      <Fields>
        <TextField
          label={t.fields.category}
          value={values.category}
          onInput={(value) => set("category", value)}
          error={error("category")}
          list={id}
          required
        />
        <datalist id={id}>
          <For each={props.categories}>{(category) => <option value={category} />}</For>
        </datalist>
        <TagsField
          label={t.fields.tags}
          hint={t.tagsHint}
          value={values.tags}
          onChange={(value) => set("tags", value)}
          error={error("tags")}
        />
      </Fields>
    </>
  );
}

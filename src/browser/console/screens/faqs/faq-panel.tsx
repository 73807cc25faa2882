import { createUniqueId, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { faqs as t } from "../../texts/index.ts";
import { Fields, TextArea, TextField } from "../../ui/fields.tsx";
import { MarkdownField } from "../../ui/markdown-field.tsx";
import { OriginNote } from "../../ui/origin.tsx";
import { SidePanel } from "../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { createResourceForm } from "../../ui/resource-form.ts";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { nameAfter } from "../../ui/slug.ts";
import { TagsField } from "../../ui/tags-field.tsx";
import { faqById, faqList } from "./queries.ts";

type Values = Pick<Body<"Faq">, "name" | "title" | "summary" | "content" | "category" | "tags">;

const EMPTY: Values = { name: "", title: "", summary: "", content: "", category: "general", tags: [] };

export default function FaqPanel() {
  return (
    <ResourcePanel query={faqById} one={t.title} title={({ title }) => title} closeTo="/faqs">
      {(faq) => <FaqForm faq={faq()} />}
    </ResourcePanel>
  );
}

export function NewFaq() {
  return (
    <SidePanel title={t.add} closeTo="/faqs">
      <FaqForm />
    </SidePanel>
  );
}

/** The form of an FAQ. The name can only be chosen for a new one. */
function FaqForm(props: { faq?: Body<"Faq"> }) {
  const isNew = props.faq === undefined;
  const form = createResourceForm<Body<"Faq">, Values>({
    of: props.faq,
    query: faqById,
    values: ({ name, title, summary, content, category, tags }) => ({ name, title, summary, content, category, tags }),
    empty: EMPTY,
    create: (body) => data(api.POST("/api/v1/faqs", { body })),
    update: (id, { name, ...body }, _before, headers) =>
      data(api.PUT("/api/v1/faqs/{id}", { params: { path: { id } }, body, headers })),
    list: "/faqs",
    collection: "faqs",
  });
  const confirmDelete = useDelete("/faqs", "faqs");
  const remove = () => {
    const { id = "", title = "" } = props.faq ?? {};
    return confirmDelete({ title: t.deleteTitle(title), body: t.deleteBody }, () =>
      api.DELETE("/api/v1/faqs/{id}", { params: { path: { id } } }),
    );
  };
  const listId = createUniqueId();
  const list = useQuery(faqList);
  const categories = () => [...new Set(list.data?.faqs.map(({ category }) => category))].sort();
  const { values, set, field } = form;
  const setTitle = (title: string) => set({ title, name: isNew ? nameAfter(title, values) : values.name });
  return (
    <PanelForm needs={isNew ? "createFaq" : "updateFaq"} form={form}>
      <Show when={props.faq}>{(faq) => <OriginNote of={faq()} />}</Show>
      <Fields>
        <TextField label={t.fields.title} {...field("title")} onInput={setTitle} required />
        {isNew && <TextField label={t.fields.name} hint={t.nameHint} code {...field("name")} required />}
        <TextArea label={t.fields.summary} hint={t.summaryHint} {...field("summary")} rows={2} />
      </Fields>
      <MarkdownField label={t.fields.content} hint={t.contentHint} {...field("content")} rows={12} required />
      <Fields>
        <TextField label={t.fields.category} {...field("category")} list={listId} required />
        <datalist id={listId}>
          <For each={categories()}>{(category) => <option value={category} />}</For>
        </datalist>
        <TagsField label={t.fields.tags} hint={t.tagsHint} {...field("tags")} />
      </Fields>
      <PanelFooter form={form} isNew={isNew} onDelete={props.faq?.is_default === false ? remove : undefined} />
    </PanelForm>
  );
}

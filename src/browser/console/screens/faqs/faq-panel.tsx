import { useNavigate } from "@solidjs/router";
import { createUniqueId, For } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate, storedBy } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { common, faqs as t } from "../../texts/index.ts";
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
import { faqById, faqList } from "./queries.ts";

type Values = Pick<Body<"Faq">, "name" | "title" | "summary" | "content" | "category" | "tags">;

const EMPTY: Values = { name: "", title: "", summary: "", content: "", category: "general", tags: [] };

/** One FAQ, to be read and changed. */
export default function FaqPanel() {
  return (
    <ResourcePanel query={faqById} one={t.title} title={({ title }) => title} closeTo="/faqs">
      {(faq) => <EditFaq faq={faq()} />}
    </ResourcePanel>
  );
}

function EditFaq(props: { faq: Body<"Faq"> }) {
  const path = { id: props.faq.id };
  const form = createForm<Values>({
    initial: valuesOf(props.faq),
    stored: storedBy(props.faq, faqById(props.faq.id), valuesOf),
    save: async ({ name, ...body }, _before, headers) => {
      const saved = await data(api.PUT("/api/v1/faqs/{id}", { params: { path }, body, headers }));
      await invalidate("faqs");
      notify(common.saved);
      return saved;
    },
  });
  const confirmDelete = useDelete("/faqs", "faqs");
  const remove = () =>
    confirmDelete({ title: t.deleteTitle(props.faq.title), body: t.deleteBody }, () =>
      api.DELETE("/api/v1/faqs/{id}", { params: { path } }),
    );
  return (
    <PanelForm needs="updateFaq" form={form}>
      <OriginNote of={props.faq} />
      <FaqFields form={form} />
      <PanelFooter form={form} onDelete={props.faq.is_default ? undefined : remove} />
    </PanelForm>
  );
}

function valuesOf({ name, title, summary, content, category, tags }: Body<"Faq">): Values {
  return { name, title, summary, content, category, tags };
}

/** The form for a new FAQ. */
export function NewFaq() {
  const navigate = useNavigate();
  const form = createForm<Values>({
    initial: EMPTY,
    save: async (body) => {
      const { id } = await data(api.POST("/api/v1/faqs", { body }));
      await invalidate("faqs");
      form.reset();
      navigate(`/faqs/${id}`);
    },
  });
  return (
    <SidePanel title={t.add} closeTo="/faqs">
      <PanelForm needs="createFaq" form={form}>
        <FaqFields form={form} isNew />
        <PanelFooter form={form} isNew />
      </PanelForm>
    </SidePanel>
  );
}

/** The fields of an FAQ; only a new one is given its name. */
function FaqFields(props: { form: Form<Values>; isNew?: boolean }) {
  const id = createUniqueId();
  const list = useQuery(faqList);
  const categories = () => [...new Set(list.data?.faqs.map(({ category }) => category))].sort();
  // Always the same form.
  const { values, set, field } = props.form;
  const setTitle = (title: string) => set({ title, name: props.isNew ? nameAfter(title, values) : values.name });
  return (
    <>
      <Fields>
        <TextField label={t.fields.title} {...field("title")} onInput={setTitle} required />
        {props.isNew && <TextField label={t.fields.name} hint={t.nameHint} code {...field("name")} required />}
        <TextArea label={t.fields.summary} hint={t.summaryHint} {...field("summary")} rows={2} />
      </Fields>
      <MarkdownField label={t.fields.content} hint={t.contentHint} {...field("content")} rows={12} required />
      <Fields>
        <TextField label={t.fields.category} {...field("category")} list={id} required />
        <datalist id={id}>
          <For each={categories()}>{(category) => <option value={category} />}</For>
        </datalist>
        <TagsField label={t.fields.tags} hint={t.tagsHint} {...field("tags")} />
      </Fields>
    </>
  );
}

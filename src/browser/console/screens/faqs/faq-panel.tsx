import { useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { storedBy } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { common, faqs as t } from "../../texts/index.ts";
import { confirmed } from "../../ui/confirm.tsx";
import { Loaded, Note } from "../../ui/feedback.tsx";
import { createForm } from "../../ui/form.ts";
import { ById, SidePanel } from "../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { tell } from "../../ui/toast.tsx";
import { FaqFields, type FaqValues } from "./faq-fields.tsx";
import { faqById, faqList, faqsChanged } from "./queries.ts";

/** One FAQ, to be written and changed; `/faqs/new` for one that is not there yet. */
export default function FaqPanel() {
  return <ById>{(id) => (id === "new" ? <NewFaq /> : <StoredFaq id={id} />)}</ById>;
}

function StoredFaq(props: { id: string }) {
  const faq = useQuery(() => faqById(props.id));
  return (
    <SidePanel title={faq.data?.title ?? t.title} closeTo="/faqs">
      <Loaded query={faq}>{(found) => <EditFaq faq={found()} />}</Loaded>
    </SidePanel>
  );
}

function EditFaq(props: { faq: Body<"Faq"> }) {
  const navigate = useNavigate();
  const categories = useCategories();
  const path = { id: props.faq.id };
  const { title } = props.faq;
  const form = createForm<FaqValues>({
    initial: valuesOf(props.faq),
    stored: storedBy(props.faq, faqById(props.faq.id), valuesOf),
    save: async ({ name, ...body }, _before, headers) => {
      const saved = await data(api.PUT("/api/v1/faqs/{id}", { params: { path }, body, headers }));
      await faqsChanged();
      tell(common.saved);
      return saved;
    },
  });
  const remove = () => {
    const question = { title: t.deleteTitle(title), body: t.deleteBody, verb: common.delete, danger: true };
    return confirmed(question, async () => {
      await data(api.DELETE("/api/v1/faqs/{id}", { params: { path } }));
      form.reset();
      navigate("/faqs");
      await faqsChanged();
    });
  };
  return (
    <PanelForm form={form}>
      <Show when={props.faq.is_default}>
        <Note>{props.faq.modified_from_default ? t.modified : t.default}</Note>
      </Show>
      <FaqFields form={form} categories={categories()} />
      <PanelFooter form={form} onDelete={props.faq.is_default ? undefined : remove} />
    </PanelForm>
  );
}

function valuesOf({ name, title, summary, content, category, tags }: Body<"Faq">): FaqValues {
  return { name, title, summary, content, category, tags };
}

function NewFaq() {
  const navigate = useNavigate();
  const categories = useCategories();
  const form = createForm<FaqValues>({
    initial: { name: "", title: "", summary: "", content: "", category: "general", tags: [] },
    save: async (body) => {
      const { id } = await data(api.POST("/api/v1/faqs", { body }));
      await faqsChanged();
      form.reset();
      navigate(`/faqs/${id}`);
    },
  });
  return (
    <SidePanel title={t.add} closeTo="/faqs">
      <PanelForm form={form}>
        <FaqFields form={form} isNew categories={categories()} />
        <PanelFooter form={form} isNew />
      </PanelForm>
    </SidePanel>
  );
}

/** What FAQs are listed under already. */
function useCategories(): () => string[] {
  const list = useQuery(faqList);
  return () => [...new Set(list.data?.faqs.map(({ category }) => category))].sort();
}

import { useNavigate, useParams } from "@solidjs/router";
import { useQuery } from "@tanstack/solid-query";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { common, faqs as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { Failure, Loaded, Note } from "../../ui/feedback.tsx";
import { Fields, TextArea, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { SidePanel } from "../../ui/page.tsx";
import { tell, tellFailure } from "../../ui/toast.tsx";
import { faqById, faqsChanged } from "./queries.ts";

/** One FAQ, to be written and changed; `/faqs/new` for one that is not there yet. */
export default function FaqPanel() {
  const params = useParams<{ id: string }>();
  return (
    <Show when={params.id} keyed>
      {(id) => (id === "new" ? <NewFaq /> : <StoredFaq id={id} />)}
    </Show>
  );
}

function StoredFaq(props: { id: string }) {
  const faq = useQuery(() => faqById(props.id));
  return (
    <SidePanel title={faq.isSuccess ? faq.data.title : t.title} closeTo="/faqs">
      <Loaded query={faq}>{(found) => <EditFaq faq={found()} />}</Loaded>
    </SidePanel>
  );
}

function EditFaq(props: { faq: Body<"Faq"> }) {
  const navigate = useNavigate();
  const path = { id: props.faq.id };
  const { title, content } = props.faq;
  const form = createForm({
    initial: { title, content },
    save: async (body) => {
      await data(api.PUT("/api/v1/faqs/{id}", { params: { path }, body }));
      await faqsChanged();
      tell(common.saved);
    },
  });
  const remove = async () => {
    const question = { title: t.deleteTitle(title), body: t.deleteBody, verb: common.delete, danger: true };
    if (!(await confirm(question))) return;
    try {
      await data(api.DELETE("/api/v1/faqs/{id}", { params: { path } }));
      form.reset();
      navigate("/faqs");
      await faqsChanged();
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <form onSubmit={form.submit}>
      <Fields>
        <Show when={props.faq.is_default}>
          <Note>{t.default}</Note>
        </Show>
        <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
        <TextField
          label={t.fields.title}
          value={form.values.title}
          onInput={(value) => form.set("title", value)}
          error={form.error("title")}
          required
        />
        <TextArea
          label={t.fields.content}
          hint={t.contentHint}
          value={form.values.content}
          onInput={(value) => form.set("content", value)}
          error={form.error("content")}
          rows={12}
          required
        />
        <div>
          <Button kind="primary" type="submit" busy={form.busy()} disabled={!form.dirty()}>
            {common.save}
          </Button>{" "}
          <Show when={!props.faq.is_default}>
            <Button kind="danger" onClick={() => void remove()}>
              {common.delete}
            </Button>
          </Show>
        </div>
      </Fields>
    </form>
  );
}

function NewFaq() {
  const navigate = useNavigate();
  const form = createForm({
    initial: { title: "", name: "", content: "" },
    save: async (body) => {
      const { id } = await data(api.POST("/api/v1/faqs", { body }));
      await faqsChanged();
      form.reset();
      navigate(`/faqs/${id}`);
    },
  });
  return (
    <SidePanel title={t.add} closeTo="/faqs">
      <form onSubmit={form.submit}>
        <Fields>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <TextField
            label={t.fields.title}
            value={form.values.title}
            onInput={(value) => form.set("title", value)}
            error={form.error("title")}
            required
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
          <TextArea
            label={t.fields.content}
            hint={t.contentHint}
            value={form.values.content}
            onInput={(value) => form.set("content", value)}
            error={form.error("content")}
            rows={12}
            required
          />
          <div>
            <Button kind="primary" type="submit" busy={form.busy()}>
              {common.save}
            </Button>
          </div>
        </Fields>
      </form>
    </SidePanel>
  );
}

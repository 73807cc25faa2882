import { useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { storedBy } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { common, playbooks as t } from "../../texts/index.ts";
import { confirmed } from "../../ui/confirm.tsx";
import { Loaded, Note } from "../../ui/feedback.tsx";
import { createForm } from "../../ui/form.ts";
import { ById, SidePanel } from "../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { tell } from "../../ui/toast.tsx";
import { PlaybookFields, type PlaybookValues } from "./playbook-fields.tsx";
import { playbookById, playbooksChanged } from "./queries.ts";

/** One playbook, to be written and changed; `/playbooks/new` for one that is not there yet. */
export default function PlaybookPanel() {
  return <ById>{(id) => (id === "new" ? <NewPlaybook /> : <StoredPlaybook id={id} />)}</ById>;
}

function StoredPlaybook(props: { id: string }) {
  const playbook = useQuery(() => playbookById(props.id));
  const lead = (
    <Show when={playbook.data}>
      {(found) => (
        <>
          <code>{found().name}</code> · {formatName(found().category)}
        </>
      )}
    </Show>
  );
  return (
    <SidePanel title={playbook.data?.display_name ?? t.title} lead={lead} closeTo="/playbooks">
      <Loaded query={playbook}>{(found) => <EditPlaybook playbook={found()} />}</Loaded>
    </SidePanel>
  );
}

function EditPlaybook(props: { playbook: Body<"Playbook"> }) {
  const navigate = useNavigate();
  const path = { id: props.playbook.id };
  const { display_name } = props.playbook;
  const form = createForm<PlaybookValues>({
    initial: valuesOf(props.playbook),
    stored: storedBy(props.playbook, playbookById(props.playbook.id), valuesOf),
    save: async (values, before, headers) => {
      const { name, category, content, ...rest } = values;
      // Steps that are made of the fields follow them, unless they are written themselves.
      const body = content === before.content ? rest : { content, ...rest };
      const saved = await data(api.PUT("/api/v1/playbooks/{id}", { params: { path }, body, headers }));
      values.content = saved.content;
      form.set("content", saved.content);
      await playbooksChanged();
      tell(common.saved);
      return saved;
    },
  });
  const remove = () => {
    const question = { title: t.deleteTitle(display_name), body: t.deleteBody, verb: common.delete, danger: true };
    return confirmed(question, async () => {
      await data(api.DELETE("/api/v1/playbooks/{id}", { params: { path } }));
      form.reset();
      navigate("/playbooks");
      await playbooksChanged();
    });
  };
  return (
    <PanelForm form={form}>
      <Show when={props.playbook.is_default}>
        <Note>{props.playbook.modified_from_default ? t.modified : t.default}</Note>
      </Show>
      <PlaybookFields form={form} />
      <PanelFooter form={form} onDelete={props.playbook.is_default ? undefined : remove} />
    </PanelForm>
  );
}

function valuesOf(playbook: Body<"Playbook">): PlaybookValues {
  const { name, display_name, description, category, tags, tool_names, triggers, content } = playbook;
  return { name, display_name, description, category, tags, tool_names, triggers, content };
}

function NewPlaybook() {
  const navigate = useNavigate();
  const form = createForm<PlaybookValues>({
    initial: {
      name: "",
      display_name: "",
      description: "",
      category: "custom",
      tags: [],
      tool_names: [],
      triggers: [],
      content: "",
    },
    save: async ({ content, display_name, ...rest }) => {
      // What is left empty is made by the service.
      const body = { ...rest, ...(content && { content }), ...(display_name && { display_name }) };
      const { id } = await data(api.POST("/api/v1/playbooks", { body }));
      await playbooksChanged();
      form.reset();
      navigate(`/playbooks/${id}`);
    },
  });
  return (
    <SidePanel title={t.add} closeTo="/playbooks">
      <PanelForm form={form}>
        <PlaybookFields form={form} isNew />
        <PanelFooter form={form} isNew />
      </PanelForm>
    </SidePanel>
  );
}

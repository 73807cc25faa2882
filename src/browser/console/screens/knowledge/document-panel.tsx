import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { agentList } from "../../api/lists.ts";
import { may } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { knowledge as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Fields, SelectField, TextField } from "../../ui/fields.tsx";
import { Row } from "../../ui/layout.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { createResourceForm } from "../../ui/resource-form.ts";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import { Facts, Time } from "../../ui/values.tsx";
import { documentById, documentPages } from "./queries.ts";
import { DocumentState } from "./state.tsx";

interface Values {
  title: string;
  language: string;
  effective_from: string;
  effective_until: string;
}

const EMPTY: Values = { title: "", language: "", effective_from: "", effective_until: "" };
const orNull = (text: string) => (text.trim() === "" ? null : text.trim());

export default function DocumentPanel() {
  return (
    <ResourcePanel query={documentById} one={t.one} title={({ title }) => title} closeTo="/knowledge">
      {(document) => (
        <>
          <Facts
            of={[
              [t.fields.status, () => <DocumentState of={document()} />],
              [t.fields.passages, () => formatNumber(document().chunks)],
              [t.fields.read, () => <Time at={document().refreshed_at} />],
              [t.fields.usedBy, () => <UsedBy of={document()} />],
            ]}
          />
          <Show when={document().url !== null}>
            <Pages document={document()} />
          </Show>
          <Row>
            <Show when={may("refreshDocument")}>
              <Button onClick={() => void refresh(document().id)}>{t.refresh}</Button>
            </Show>
          </Row>
          <Show when={may("attachAgentDocument")}>
            <Attach document={document()} />
          </Show>
          <DocumentForm document={document()} />
        </>
      )}
    </ResourcePanel>
  );
}

/** The pages of an address, with why each that failed did. */
function Pages(props: { document: Body<"Document"> }) {
  const pages = useQuery(() => documentPages(props.document));
  const progress = () => {
    const { crawl } = props.document;
    return crawl === null ? "" : t.progress(crawl.pages_read, crawl.pages_failed, crawl.pages_waiting);
  };
  return (
    <>
      <Facts
        of={[
          [t.address.label, () => props.document.url],
          [t.pages, () => progress()],
          [t.nextRefresh, () => <Time at={props.document.crawl?.next_refresh_at ?? null} />],
        ]}
      />
      <ul>
        <For each={pages.data?.pages ?? []}>
          {({ url, title, state, reason, read_at }) => (
            <li>
              {title || url} <span class="muted">{reason ? (t.reasons[reason] ?? reason) : t.pageStates[state]} </span>
              <Time at={read_at} />
            </li>
          )}
        </For>
      </ul>
    </>
  );
}

async function refresh(id: string): Promise<void> {
  try {
    await data(api.POST("/api/v1/knowledge/{id}/refresh", { params: { path: { id } } }));
    notify(t.refreshed);
    await invalidate("knowledge");
  } catch (error) {
    notifyFailure(error);
  }
}

function UsedBy(props: { of: Body<"Document"> }) {
  return (
    <For each={props.of.used_by} fallback={<span class="muted">{t.nobody}</span>}>
      {({ agent_id, name }, n) => (
        <>
          {n() > 0 && ", "}
          <a href={`/console/agents/${agent_id}`}>{name}</a>
        </>
      )}
    </For>
  );
}

function Attach(props: { document: Body<"Document"> }) {
  const agents = useQuery(agentList);
  const [agent, setAgent] = createSignal("");
  const others = () => {
    const has = new Set(props.document.used_by.map(({ agent_id }) => agent_id));
    return (agents.data ?? []).filter(({ id }) => !has.has(id));
  };
  const options = () => [{ value: "", label: "" }, ...others().map(({ id, name }) => ({ value: id, label: name }))];
  const attach = async () => {
    const id = agent();
    const body = { document_id: props.document.id, mode: "auto" as const };
    try {
      const { name } = await data(api.POST("/api/v1/agents/{id}/knowledge", { params: { path: { id } }, body }));
      notify(t.attached(name));
      setAgent("");
      await invalidate("knowledge", "agents");
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Row align="end">
      <SelectField label={t.attach} value={agent()} onInput={setAgent} options={options()} />
      <Button disabled={agent() === ""} onClick={() => void attach()}>
        {t.attachVerb}
      </Button>
    </Row>
  );
}

function DocumentForm(props: { document: Body<"Document"> }) {
  const form = createResourceForm<Body<"Document">, Values>({
    of: props.document,
    query: documentById,
    values: ({ title, language, effective_from, effective_until }) => ({
      title,
      language: language ?? "",
      effective_from: effective_from ?? "",
      effective_until: effective_until ?? "",
    }),
    empty: EMPTY,
    create: () => Promise.reject(new TypeError("documents are uploaded")),
    update: (id, { title, language, effective_from, effective_until }, before, headers) => {
      const days = { effective_from: orNull(effective_from), effective_until: orNull(effective_until) };
      // The shown language may be the detected one, which must not be stored.
      const changed = language === (before.language ?? "") ? {} : { language: orNull(language) };
      const body = Object.assign({ title }, days, changed);
      return data(api.PATCH("/api/v1/knowledge/{id}", { params: { path: { id } }, body, headers }));
    },
    list: "/knowledge",
    collection: "knowledge",
  });
  const confirmDelete = useDelete("/knowledge", "knowledge", "agents");
  const remove = () => {
    const { id, title } = props.document;
    return confirmDelete({ title: t.deleteTitle(title), body: t.deleteBody }, () =>
      api.DELETE("/api/v1/knowledge/{id}", { params: { path: { id } } }),
    );
  };
  const { field } = form;
  return (
    <PanelForm needs="updateDocument" form={form}>
      <Fields>
        <TextField label={t.fields.title} {...field("title")} required />
        <TextField label={t.fields.language} hint={t.languageHint} {...field("language")} code />
        <TextField label={t.fields.from} hint={t.daysHint} type="date" {...field("effective_from")} />
        <TextField label={t.fields.until} type="date" {...field("effective_until")} />
      </Fields>
      <PanelFooter form={form} isNew={false} onDelete={remove} />
    </PanelForm>
  );
}

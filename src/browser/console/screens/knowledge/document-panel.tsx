import { For, Show } from "solid-js";
import { api, ask, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { knowledge as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { DocumentState } from "../../ui/document-state.tsx";
import { saveAs } from "../../ui/download.ts";
import { Fields, TextField } from "../../ui/fields.tsx";
import { Download, RotateCcw } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { createResourceForm } from "../../ui/resource-form.ts";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import { Facts, Time } from "../../ui/values.tsx";
import { Attachments } from "./attachments.tsx";
import { Passages } from "./passages.tsx";
import { documentById, documentPages } from "./queries.ts";

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
            ]}
          />
          <Show when={document().url !== null}>
            <Pages document={document()} />
          </Show>
          <Row>
            <Button needs="refreshDocument" icon={RotateCcw} onClick={() => void refresh(document().id)}>
              {t.refresh}
            </Button>
            <Show when={document().url === null}>
              <Button needs="getDocumentOriginal" icon={Download} onClick={() => void download(document())}>
                {t.original}
              </Button>
            </Show>
          </Row>
          <Passages document={document()} />
          <Attachments document={document()} />
          <DocumentForm document={document()} />
        </>
      )}
    </ResourcePanel>
  );
}

/** The pages of an address, each with the reason if it failed. */
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

/** Downloads the original under its uploaded name, or a text under its title. */
async function download({ id, title, source }: Body<"Document">): Promise<void> {
  try {
    const original = await ask(`/api/v1/knowledge/${id}/original`);
    const [, name] = /filename\*=UTF-8''([^;]+)/.exec(original.headers.get("content-disposition") ?? "") ?? [];
    saveAs(await original.blob(), source === "text" || name === undefined ? `${title}.md` : decodeURIComponent(name));
  } catch (error) {
    notifyFailure(error);
  }
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

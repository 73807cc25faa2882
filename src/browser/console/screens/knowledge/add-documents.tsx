import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { type Sent, upload } from "../../api/upload.ts";
import { formatShare } from "../../texts/format.ts";
import { knowledge as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { DropArea } from "../../ui/drop-area.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { FileUp } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";

const FILES = ".md,.markdown,.txt,.html,.htm,.csv,.pdf,.docx";

/** Lets the user drop or choose documents, and uploads them one at a time. */
export function AddDocuments() {
  const [now, setNow] = createSignal<{ name: string; sent: Sent } | null>(null);
  const add = async (files: readonly File[]) => {
    for (const file of files) {
      const form = new FormData();
      form.set("file", file);
      setNow({ name: file.name, sent: { sent: 0, total: file.size } });
      try {
        const progress = (sent: Sent) => setNow({ name: file.name, sent });
        const signal = new AbortController().signal;
        const { title } = await upload<Body<"Document">>("/api/v1/knowledge", form, { progress, signal });
        notify(t.added(title));
      } catch (error) {
        notifyFailure(error);
      }
      await invalidate("knowledge");
    }
    setNow(null);
  };
  const share = ({ sent, total }: Sent) => formatShare(total === 0 ? 0 : sent / total);
  return (
    <Show when={may("createDocument")}>
      <DropArea label={t.choose} accept={FILES} multiple onFiles={(files) => void add(files)}>
        {(choose) => (
          <>
            <Row justify="center" align="center">
              <strong>{t.drop}</strong>
              <Button kind="primary" icon={FileUp} disabled={now() !== null} onClick={choose}>
                {t.choose}
              </Button>
            </Row>
            <p class="muted" role="status">
              <Show when={now()} fallback={t.types}>
                {(one) => <>{t.sending(one().name, share(one().sent))}</>}
              </Show>
            </p>
          </>
        )}
      </DropArea>
      <AddAddress />
    </Show>
  );
}

const PAGES = [1, 10, 20, 50].map((pages) => ({ value: String(pages), label: t.address.pages(pages) }));
const REFRESHES = [0, 24, 168].map((hours) => ({ value: String(hours), label: t.address.refreshes(hours) }));

/** A field for the address of a page or site. */
function AddAddress() {
  const [url, setUrl] = createSignal("");
  const [pages, setPages] = createSignal("1");
  const [hours, setHours] = createSignal("0");
  const add = async () => {
    const body = { url: url().trim(), pages: Number(pages()), refresh_hours: Number(hours()) || null };
    try {
      const { title } = await data(api.POST("/api/v1/knowledge", { body }));
      notify(t.added(title));
      setUrl("");
      await invalidate("knowledge");
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Row align="end">
      <TextField
        label={t.address.label}
        placeholder={t.address.hint}
        value={url()}
        onInput={setUrl}
        type="url"
        size={32}
      />
      <SelectField label={t.address.pagesLabel} value={pages()} onInput={setPages} options={PAGES} />
      <SelectField label={t.address.refreshLabel} value={hours()} onInput={setHours} options={REFRESHES} />
      <Button disabled={url().trim() === ""} onClick={() => void add()}>
        {t.address.verb}
      </Button>
    </Row>
  );
}

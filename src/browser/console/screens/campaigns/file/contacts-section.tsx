import { Show } from "solid-js";
import { newCampaign as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { confirm } from "../../../ui/confirm.tsx";
import { Note } from "../../../ui/feedback.tsx";
import { Section } from "../../../ui/page.tsx";
import { ChooseFile, LIST_FILES } from "./choose-file.tsx";
import { Columns, type Wanted } from "./columns.tsx";
import type { ContactList } from "./contact-list.ts";
import styles from "./file.module.css";
import { Rows } from "./rows.tsx";

/** The sections for a list of contacts: file, columns, rows. */
export function ContactsSections(props: {
  title: string;
  list: ContactList;
  wanted?: Wanted | undefined;
  isAdded?: boolean;
  lead?: string;
}) {
  const delimiter = (sign: string) => Object.entries(t.file.delimiters).find(([each]) => each === sign)?.[1] ?? sign;
  let picker: HTMLInputElement | undefined;
  /** If rows were fixed, asks whether the list may be discarded. */
  const mayGo = async (title: string, verb: string) => {
    const fixed = props.list.fixes().size;
    const { lostBody, keep: cancel } = t.choose;
    return fixed === 0 || confirm({ title, body: lostBody(fixed), verb, cancel, danger: true });
  };
  const replace = async (file: File) => {
    if (await mayGo(t.choose.replaceTitle, t.choose.replaceVerb)) await props.list.choose(file);
  };
  const remove = async () => {
    if (await mayGo(t.choose.removeTitle, t.choose.remove)) props.list.clear();
  };
  const isConverted = () => (props.list.check()?.encoding ?? props.list.chosen()?.shape.encoding) === "windows-1252";
  return (
    <>
      <Section title={props.title}>
        <Show when={props.lead && !props.list.chosen()}>
          <p class="muted">{props.lead}</p>
        </Show>
        <Show when={props.list.problem()}>
          {(problem) => (
            <Note tone="warn">
              <p role="alert">{problem()}</p>
            </Note>
          )}
        </Show>
        <Show when={props.list.chosen()} fallback={<ChooseFile list={props.list} isSecond={props.isAdded ?? false} />}>
          {(chosen) => (
            <>
              <div class={styles.chosen}>
                <div>
                  <strong>{chosen().file.name}</strong>{" "}
                  <span class="muted">{t.file.read(chosen().file.size, delimiter(chosen().shape.delimiter))}</span>
                </div>
                <div class="row">
                  <Button small onClick={() => picker?.click()}>
                    {t.choose.another}
                  </Button>
                  <Button small kind="quiet" onClick={() => void remove()}>
                    {t.choose.remove}
                  </Button>
                </div>
                <input
                  ref={picker}
                  type="file"
                  accept={LIST_FILES}
                  hidden
                  aria-label={t.choose.another}
                  onChange={(event) => {
                    const file = event.currentTarget.files?.[0];
                    event.currentTarget.value = "";
                    if (file) void replace(file);
                  }}
                />
              </div>
              <Show when={!chosen().shape.hasHeader}>
                <Note>
                  <p>{t.file.noHeader}</p>
                </Note>
              </Show>
              <Show when={isConverted()}>
                <Note>
                  <p>{t.file.encoding}</p>
                </Note>
              </Show>
            </>
          )}
        </Show>
      </Section>
      <Show when={props.list.chosen()}>
        <Section title={t.columns.title}>
          <Columns list={props.list} wanted={props.wanted} />
        </Section>
        <Section title={t.rows.title}>
          <Rows list={props.list} isAdded={props.isAdded ?? false} />
        </Section>
      </Show>
    </>
  );
}

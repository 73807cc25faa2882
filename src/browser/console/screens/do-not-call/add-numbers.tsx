import { useNavigate } from "@solidjs/router";
import { createMemo, For, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { counted, formatNumber } from "../../texts/format.ts";
import { doNotCall as t } from "../../texts/index.ts";
import { loadedNumberReader, numberReader } from "../../ui/entered-number.ts";
import { Note } from "../../ui/feedback.tsx";
import { TextArea, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { notify } from "../../ui/toast.tsx";
import styles from "./do-not-call.module.css";
import { type Pasted, readPasted } from "./pasted-numbers.ts";

/** Maximum number of phone numbers that the API accepts at once. */
const AT_ONCE = 10_000;
const NOTHING: Pasted = { numbers: [], repeated: 0, wrong: [] };
const NAMED = 8;

/** Adds pasted numbers to the list, and shows the lines that contain none. */
export default function AddNumbers() {
  const navigate = useNavigate();
  const form = createForm({
    initial: { numbers: "", reason: "" },
    save: async ({ numbers: text, reason }) => {
      const { numbers, wrong } = readPasted(text, (await numberReader()).canonicalNumber);
      let added = 0;
      for (let at = 0; at < numbers.length; at += AT_ONCE) {
        const some = numbers.slice(at, at + AT_ONCE);
        const body = reason.trim() === "" ? { numbers: some } : { numbers: some, reason };
        added += (await data(api.POST("/api/v1/do-not-call", { body }))).added;
      }
      const before = numbers.length - added;
      notify(t.form.added(count(added), before > 0 ? t.form.there(formatNumber(before)) : ""));
      await invalidate("do-not-call");
      // Invalid lines stay in the field, so that they can be fixed.
      form.reset({ numbers: wrong.map(({ text: written }) => written).join("\n"), reason });
      if (wrong.length === 0) navigate("/do-not-call");
    },
  });
  const pasted = createMemo(() => {
    const reader = loadedNumberReader();
    return reader ? readPasted(form.values.numbers, reader.canonicalNumber) : NOTHING;
  });
  const verb = () => (pasted().numbers.length > 0 ? t.form.submit(count(pasted().numbers.length)) : t.form.none);
  return (
    <SidePanel title={t.form.title} lead={t.form.lead} closeTo="/do-not-call">
      <FieldsForm needs="addDoNotCall" form={form} verb={verb()} disabled={pasted().numbers.length === 0}>
        <TextArea
          label={t.form.numbers}
          hint={t.form.numbersHint}
          placeholder={t.form.placeholder}
          rows={10}
          code
          {...form.field("numbers")}
          required
        />
        <Show when={form.values.numbers.trim() !== ""}>
          <output>
            {t.form.read(
              count(pasted().numbers.length),
              pasted().repeated > 0 ? t.form.twice(formatNumber(pasted().repeated)) : "",
            )}
          </output>
        </Show>
        <Show when={pasted().wrong.length > 0}>
          <Note tone="warn">
            <strong>{t.form.wrong(count(pasted().wrong.length))}</strong>
            <ul class={styles.wrong}>
              <For each={pasted().wrong.slice(0, NAMED)}>
                {({ line, text }) => <li>{t.form.wrongLine(formatNumber(line), text)}</li>}
              </For>
              <Show when={pasted().wrong.length > NAMED}>
                <li>{t.form.moreWrong(formatNumber(pasted().wrong.length - NAMED))}</li>
              </Show>
            </ul>
            <span class="muted">{t.form.wrongStay}</span>
          </Note>
        </Show>
        <TextField
          label={t.form.reason}
          hint={t.form.reasonHint}
          placeholder={t.form.reasonPlaceholder}
          {...form.field("reason")}
          maxlength={500}
        />
      </FieldsForm>
    </SidePanel>
  );
}

const count = (numbers: number): string => counted(numbers, t.form.one, t.form.many);

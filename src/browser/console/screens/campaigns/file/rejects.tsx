import { createSignal, For, Show } from "solid-js";
import { createStore } from "solid-js/store";
import type { RejectedRow } from "../../../../../lists/rows.ts";
import { formatNumber } from "../../../texts/format.ts";
import { newCampaign } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextArea, TextField } from "../../../ui/fields.tsx";
import { inLine } from "../../../ui/in-line.ts";
import type { ContactList } from "./contact-list.ts";
import styles from "./file.module.css";
import { fixButtonId } from "./focus-next.ts";
import { PHONE, sentNames } from "./mapping.ts";
import { isMisquoted, reasonInWords } from "./reasons.ts";
import type { Check } from "./scan.ts";

const t = newCampaign.rows;

/** The rejected rows, each with its line, its problem and a button to fix it. */
export function Rejects(props: { list: ContactList; check: Check }) {
  const [fixing, setFixing] = createSignal<RejectedRow>();
  return (
    <>
      <section class={styles.rows} aria-label={t.rejectsTitle(props.check.rejected)} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col" class="numbers">
                {t.line}
              </th>
              <th scope="col">{t.reason}</th>
              <th scope="col" class={styles.row}>
                {t.row}
              </th>
              <th scope="col">
                <span class="visually-hidden">{t.fix}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={props.check.rejects}>
              {(reject) => (
                <tr>
                  <td class="numbers">{formatNumber(reject.line)}</td>
                  <td class={styles.wraps}>{reasonInWords(reject.reason)}</td>
                  <td class={`muted ${styles.row}`}>{inLine(reject.row.filter((cell) => cell.trim() !== ""))}</td>
                  <td class="numbers">
                    {/* If quotes are malformed, it is unknown which cells and lines belong to the row. */}
                    <Show when={!isMisquoted(reject.reason)}>
                      <Button
                        small
                        id={fixButtonId(reject.line)}
                        aria-label={t.fixLine(reject.line)}
                        onClick={() => setFixing(reject)}
                      >
                        {t.fix}
                      </Button>
                    </Show>
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
      <Show when={props.check.rejected > props.check.rejects.length}>
        <p class="muted">{t.shownOf(props.check.rejects.length, props.check.rejected)}</p>
      </Show>
      <Show when={fixing()} keyed>
        {(reject) => <FixRow list={props.list} reject={reject} onClose={() => setFixing(undefined)} />}
      </Show>
    </>
  );
}

function FixRow(props: { list: ContactList; reject: RejectedRow; onClose: () => void }) {
  const names = sentNames(props.list.mapping());
  const [cells, setCells] = createStore(names.map((_, i) => props.reject.row[i] ?? ""));
  const phone = names.indexOf(PHONE);
  const phoneFirst = [phone, ...[...names.keys()].filter((i) => i !== phone)];
  const extra = props.reject.row.slice(names.length);
  const save = (event: Event) => {
    event.preventDefault();
    props.list.fix(props.reject.line, [...cells], extra.length);
    props.onClose();
  };
  return (
    <Dialog title={t.fixTitle(props.reject.line)} onClose={props.onClose}>
      <form noValidate class={styles.fixing} onSubmit={save}>
        <p class={styles.wrong}>{reasonInWords(props.reject.reason)}</p>
        <Show when={extra.some((cell) => cell !== "")}>
          <p class="muted">{t.fixExtra(extra.filter((cell) => cell !== "").join(", "))}</p>
        </Show>
        <For each={phoneFirst}>
          {(i) => <Cell name={names[i] ?? ""} text={cells[i] ?? ""} set={(text) => setCells(i, text)} />}
        </For>
        <div>
          <Button kind="primary" type="submit">
            {t.fixVerb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Cell(props: { name: string; text: string; set: (text: string) => void }) {
  const isPhone = props.name === PHONE;
  const isTall = props.text.includes("\n");
  return isTall ? (
    <TextArea label={props.name} value={props.text} onInput={props.set} rows={3} />
  ) : (
    <TextField label={isPhone ? t.phone : props.name} value={props.text} onInput={props.set} autofocus={isPhone} />
  );
}

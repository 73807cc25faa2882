import { createMemo, For, Show } from "solid-js";
import { zoneColumns } from "../../../../../lists/columns.ts";
import { newCampaign } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Note } from "../../../ui/feedback.tsx";
import { SelectField, TextField } from "../../../ui/fields.tsx";
import { inLine } from "../../../ui/in-line.ts";
import type { ContactList } from "./contact-list.ts";
import styles from "./file.module.css";
import { proposals, withProposal } from "./fitting-columns.ts";
import { type MappingFault, type Use, withName, withoutColumn, withUse } from "./mapping.ts";

const t = newCampaign.columns;
const USES: Use[] = ["phone", "variable", "left_out"];
const SHOWN_VALUES = 3;

/** An agent's name, and the variables that its texts use without a default. */
export interface Wanted {
  agent: string;
  names: string[];
}

export function Columns(props: { list: ContactList; wanted?: Wanted | undefined }) {
  const mapping = () => props.list.mapping();
  const sample = () => props.list.chosen()?.shape.sample ?? [];
  const general = () => props.list.faults().filter((fault) => fault.kind === "no_phone" || fault.kind === "too_many");
  const faultOf = (column: number) => {
    const found = props.list.faults().find((fault) => "column" in fault && fault.column === column);
    return found && wordsOf(found);
  };
  const missing = () => (props.wanted ? withoutColumn(props.wanted.names, mapping()) : []);
  const proposed = createMemo(() => (props.wanted ? proposals(props.wanted.names, mapping()) : []));
  const change = (column: number, use: string) => {
    const chosen = USES.find((each) => each === use);
    if (chosen) props.list.setMapping(withUse(mapping(), column, chosen));
  };
  return (
    <>
      <p class="muted">{t.lead}</p>
      <For each={general()}>
        {(fault) => (
          <Note tone="warn">
            <p>{wordsOf(fault)}</p>
          </Note>
        )}
      </For>
      <ul class={styles.columns}>
        <For each={props.list.chosen()?.shape.names}>
          {(from, i) => (
            <li class={styles.column} data-use={mapping()[i()]?.use}>
              <div class={styles.source}>
                <strong>{from}</strong>
                <span class={styles.values}>
                  {inLine(
                    sample()
                      .map((row) => row[i()]?.trim() ?? "")
                      .filter((value) => value !== "")
                      .slice(0, SHOWN_VALUES),
                  ) || "–"}
                </span>
              </div>
              <SelectField
                label={t.useOf(from)}
                labelHidden
                value={mapping()[i()]?.use ?? "variable"}
                options={USES.map((value) => ({ value, label: t.uses[value] }))}
                onInput={(use) => change(i(), use)}
              />
              <Show when={mapping()[i()]?.use === "variable"} fallback={<span />}>
                <TextField
                  label={t.nameOf(from)}
                  labelHidden
                  code
                  value={mapping()[i()]?.name ?? ""}
                  onInput={(name) => props.list.setMapping(withName(mapping(), i(), name))}
                  error={faultOf(i())}
                  hint={zoneColumns([mapping()[i()]?.name.trim() ?? ""]).length > 0 ? t.timezone : undefined}
                />
              </Show>
            </li>
          )}
        </For>
      </ul>
      <Show when={props.wanted && missing().length > 0 && props.wanted}>
        {(wanted) => (
          <Note tone="warn">
            <p>
              {t.missing(wanted().agent, missing().map(inBraces).join(", "))} {t.missingMore}
            </p>
            <Show when={proposed().length > 0}>
              <div class={`${styles.buttonRow} ${styles.answers}`}>
                <For each={proposed()}>
                  {(proposal) => (
                    <Button small onClick={() => props.list.setMapping(withProposal(mapping(), proposal))}>
                      {t.propose(mapping()[proposal.column]?.from ?? "", inBraces(proposal.variable))}
                    </Button>
                  )}
                </For>
              </div>
            </Show>
          </Note>
        )}
      </Show>
    </>
  );
}

const inBraces = (name: string) => `{{${name}}}`;

function wordsOf(fault: MappingFault): string {
  return fault.kind === "too_many" ? t.faults.too_many(fault.columns, fault.most) : t.faults[fault.kind];
}

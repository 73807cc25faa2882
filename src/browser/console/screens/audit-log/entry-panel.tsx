import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import type { Answer } from "../../api/queries.ts";
import { formatExact } from "../../texts/format.ts";
import { common, auditLog as t } from "../../texts/index.ts";
import { Loaded, NotFound } from "../../ui/feedback.tsx";
import { Section, SidePanel } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CopiedCode, Facts } from "../../ui/values.tsx";

/** An entry; operators see which account's. */
export type Entry = Body<"AuditEntry"> & { account?: string | null };

interface Change {
  field: string;
  /** Null if only the field's name is recorded. */
  values: { from?: unknown; to?: unknown } | null;
}

const COLUMNS: Column<Change>[] = [
  { header: t.changed, cell: ({ field }) => <code>{field}</code> },
  { header: t.from, cell: ({ values }) => shown(values?.from) },
  { header: t.to, cell: ({ values }) => shown(values?.to) },
];

const shown = (value: unknown) =>
  value === undefined ? <span class="muted">{t.hidden}</span> : <code>{JSON.stringify(value)}</code>;

/** One entry of the log, whole. */
export function EntryPanel(props: {
  list: Answer<unknown>;
  entry: Entry | undefined;
  /** There are entries that the list does not show yet. */
  isFurtherBack: boolean;
  closeTo: string;
}) {
  const changes = () => Object.entries(props.entry?.changes ?? {}).map(([field, values]) => ({ field, values }));
  const facts = (entry: Entry) =>
    [
      [t.fields.actor, entry.actor],
      [t.fields.actorName, entry.actor_name],
      [t.fields.resource, entry.resource],
      [t.fields.resourceName, entry.resource_name],
      [t.fields.resourceId, entry.resource_id],
      [t.fields.requestId, entry.request_id],
    ] as const;
  return (
    <SidePanel
      title={props.entry ? t.sentence(props.entry) : t.entry}
      lead={props.entry && formatExact(props.entry.at)}
      closeTo={props.closeTo}
    >
      <Loaded query={props.list}>
        {() => (
          <Show when={props.entry} fallback={<NotFound>{props.isFurtherBack ? t.furtherBack : undefined}</NotFound>}>
            {(entry) => (
              <Facts
                of={facts(entry()).map(([name, value]) => [
                  name,
                  () => value && <CopiedCode text={value} label={common.copyOf(name)} />,
                ])}
              />
            )}
          </Show>
        )}
      </Loaded>
      <Show when={changes().length > 0}>
        <Section title={t.changed}>
          <Table label={t.changed} columns={COLUMNS} rows={changes()} />
        </Section>
      </Show>
    </SidePanel>
  );
}

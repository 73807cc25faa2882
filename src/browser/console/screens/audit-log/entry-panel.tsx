import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { authority } from "../../api/may.ts";
import type { Answer } from "../../api/queries.ts";
import { formatExact, formatName } from "../../texts/format.ts";
import { common, auditLog as t } from "../../texts/index.ts";
import { Loaded, NotFound } from "../../ui/feedback.tsx";
import { Section, SidePanel } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CopiedCode, type Fact, Facts } from "../../ui/values.tsx";
import { actorInWords } from "./actor.ts";

/** An entry. Operators also see its account. */
export type Entry = Body<"AuditEntry"> & { account?: string | null };

interface Change {
  field: string;
  /** Null if only the field's name is recorded. */
  values: { from?: unknown; to?: unknown } | null;
}

const COLUMNS: Column<Change>[] = [
  { header: t.changed, cell: ({ field }) => <span title={field}>{formatName(field)}</span> },
  { header: t.from, cell: ({ values }) => shown(values?.from) },
  { header: t.to, cell: ({ values }) => shown(values?.to) },
];

const shown = (value: unknown) =>
  value === undefined ? (
    <span class="muted">{t.hidden}</span>
  ) : (
    (t.value(value) ?? <code>{JSON.stringify(value)}</code>)
  );

export function EntryPanel(props: {
  list: Answer<unknown>;
  entry: Entry | undefined;
  /** Whether there may be older entries that the list doesn't show yet. */
  isFurtherBack: boolean;
  closeTo: string;
}) {
  const changes = () => Object.entries(props.entry?.changes ?? {}).map(([field, values]) => ({ field, values }));
  const words = (entry: Entry): Fact[] => [
    [t.fields.actor, () => actorInWords(entry, authority()?.user_id)],
    [t.fields.resource, () => <span title={entry.resource}>{formatName(entry.resource)}</span>],
    [t.fields.resourceName, () => entry.resource_name],
  ];
  const codes = (entry: Entry) =>
    [
      [t.fields.action, entry.action],
      [t.fields.actorId, entry.actor],
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
                of={[
                  ...words(entry()),
                  ...codes(entry()).map(
                    ([name, value]): Fact => [
                      name,
                      () => value && <CopiedCode text={value} label={common.copyOf(name)} />,
                    ],
                  ),
                ]}
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

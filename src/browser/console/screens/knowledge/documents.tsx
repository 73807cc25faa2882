import type { RouteSectionProps } from "@solidjs/router";
import type { Body } from "../../api/client.ts";
import { documentList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../texts/format.ts";
import { knowledge as t } from "../../texts/index.ts";
import { DocumentState } from "../../ui/document-state.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { AddDocuments } from "./add-documents.tsx";
import { SearchBox } from "./search-box.tsx";
import { Unanswered } from "./unanswered.tsx";

const COLUMNS: Column<Body<"Document">>[] = [
  { header: t.fields.title, cell: ({ title }) => title },
  { header: t.fields.status, cell: (document) => <DocumentState of={document} /> },
  { header: t.fields.usedBy, cell: ({ used_by }) => t.agents(used_by.length), minor: true },
  { header: t.fields.passages, cell: ({ chunks }) => formatNumber(chunks), numbers: true, minor: true },
  { header: t.fields.read, cell: ({ refreshed_at }) => <Time at={refreshed_at} />, numbers: true, minor: true },
];

export default function Documents(props: RouteSectionProps) {
  const list = useQuery(documentList);
  return (
    <ResourceList
      texts={t}
      path="/knowledge"
      query={list}
      rows={({ documents }) => documents}
      columns={COLUMNS}
      ids={({ id }) => [id]}
      panel={props.children}
      emptyAction=""
      end={() => (
        <>
          <SearchBox />
          <Unanswered />
        </>
      )}
    >
      <AddDocuments />
    </ResourceList>
  );
}

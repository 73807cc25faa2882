import { api, data } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { auditLog as t } from "../../texts/index.ts";
import { cursorPagesOf } from "../../ui/pages.ts";
import { EntryList, PAGE_ROWS } from "./entry-list.tsx";

export default function AuditLog() {
  return (
    <EntryList
      lead={t.lead}
      path="/audit-log"
      read={(filters) =>
        useInfiniteQuery(() =>
          cursorPagesOf(
            ["/audit-log", filters()],
            PAGE_ROWS,
            (page, signal) => {
              const query = Object.assign({}, filters(), page);
              return data(api.GET("/api/v1/audit-log", { params: { query }, signal }));
            },
            ({ entries }) => entries,
          ),
        )
      }
    />
  );
}

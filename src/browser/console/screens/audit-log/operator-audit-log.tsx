import { api, data } from "../../api/client.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { auditLog as t } from "../../texts/index.ts";
import { pagesOf } from "../../ui/pages.ts";
import { EntryList, PAGE_ROWS } from "./entry-list.tsx";

export default function OperatorAuditLog() {
  return (
    <EntryList
      lead={t.operatorLead}
      path="/operator-audit-log"
      hasAccounts
      read={(filters) =>
        useInfiniteQuery(() =>
          pagesOf(
            ["/operator-audit-log", filters()],
            PAGE_ROWS,
            (page, signal) => {
              const query = Object.assign({}, filters(), page);
              return data(api.GET("/api/admin/v1/audit-log", { params: { query }, signal }));
            },
            ({ entries }) => entries,
          ),
        )
      }
    />
  );
}

import { api, data } from "../../api/client.ts";
import { auditLog as t } from "../../texts/index.ts";
import { EntryList } from "./entry-list.tsx";

/** Who did what, in all accounts. */
export default function OperatorAuditLog() {
  return (
    <EntryList
      lead={t.operatorLead}
      path="/operator-audit-log"
      hasAccounts
      read={(query, signal) => data(api.GET("/api/admin/v1/audit-log", { params: { query }, signal }))}
    />
  );
}

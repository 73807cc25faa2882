import { api, data } from "../../api/client.ts";
import { auditLog as t } from "../../texts/index.ts";
import { EntryList } from "./entry-list.tsx";

/** Who did what in this account. */
export default function AuditLog() {
  return (
    <EntryList
      lead={t.lead}
      path="/audit-log"
      read={(query, signal) => data(api.GET("/api/v1/audit-log", { params: { query }, signal }))}
    />
  );
}

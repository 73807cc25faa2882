import { session } from "../../session/session.ts";
import { service as t, users } from "../../texts/index.ts";
import { Page } from "../../ui/page.tsx";
import { Health } from "./health.tsx";
import { Rekey } from "./rekey.tsx";
import { Users } from "./users.tsx";

export default function Service() {
  return (
    <Page title={t.title} lead={t.lead}>
      <Health />
      <Users account={session()?.account ?? ""} words={users.operators} />
      <Rekey />
    </Page>
  );
}

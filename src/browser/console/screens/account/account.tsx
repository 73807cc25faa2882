import { api, type Body, data } from "../../api/client.ts";
import { query, showAnswer } from "../../api/queries.ts";
import { storedBy, useQuery } from "../../api/use-query.ts";
import { account as t } from "../../texts/index.ts";
import { Loaded } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Stack } from "../../ui/layout.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SaveBar } from "../../ui/save-bar.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { TimeZoneField } from "../../ui/time-zone-field.tsx";
import { notify } from "../../ui/toast.tsx";

const KEY = ["account"];
const PATH = "/api/v1/account";

const stored = () => query(KEY, (signal) => data(api.GET(PATH, { signal })));

/** The account's display name and time zone. */
export default function Account() {
  const found = useQuery(stored);
  return (
    <Page title={t.title} lead={t.lead}>
      <Loaded query={found}>{(account) => <AccountForm account={account()} />}</Loaded>
    </Page>
  );
}

function AccountForm(props: { account: Body<"OwnAccount"> }) {
  const form = createForm({
    initial: entered(props.account),
    stored: storedBy(props.account, stored(), entered),
    save: async (body, _before, headers) => {
      const saved = await data(api.PATCH(PATH, { body, headers }));
      showAnswer(KEY, saved);
      notify(t.saved);
      return saved;
    },
  });
  return (
    <ScopedForm needs="updateOwnAccount" onSubmit={(event) => void form.submit(event)}>
      <Stack>
        <FormProblem form={form} />
        <Card>
          <Fields legend={t.title}>
            <TextField
              label={t.name}
              hint={t.nameHint(props.account.name)}
              {...form.field("display_name")}
              maxlength={80}
              required
            />
            <TimeZoneField label={t.timezone} hint={t.timezoneHint} none={t.none} {...form.field("timezone")} />
          </Fields>
        </Card>
        <SaveBar form={form} />
      </Stack>
    </ScopedForm>
  );
}

const entered = ({ display_name, timezone }: Body<"OwnAccount">) => ({ display_name, timezone });

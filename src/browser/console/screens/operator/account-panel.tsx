import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { accounts as t, users } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { Grid, Row } from "../../ui/layout.tsx";
import { ResourcePanel } from "../../ui/resource-panel.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import { Facts, Time } from "../../ui/values.tsx";
import { AccountSettings } from "./account-settings.tsx";
import { AccountState } from "./account-state.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { accountByName, changeAccount } from "./queries.ts";
import { Users } from "./users.tsx";

export default function AccountPanel() {
  return (
    <ResourcePanel
      query={accountByName}
      one={t.one}
      title={({ display_name }) => display_name}
      lead={(account) => (
        <Row as="span" gap={[4, 12]}>
          <code>{account().name}</code>
          <AccountState disabled={account().disabled} />
        </Row>
      )}
      closeTo="/accounts"
      actions={(account) => <Actions account={account()} />}
    >
      {(account) => (
        <>
          <Facts
            of={[
              [t.fields.created, () => <Time at={account().created_at} />],
              [t.fields.updated, () => <Time at={account().updated_at} />],
              [t.fields.ended, () => <Time at={account().sessions_valid_after} />],
            ]}
          />
          <Grid min={420} gap={[32, 48]} align="start">
            <Users account={account().name} words={users.ofAccount} />
            <AccountSettings account={account()} />
          </Grid>
          <DeleteAccount account={account()} />
        </>
      )}
    </ResourcePanel>
  );
}

function Actions(props: { account: Body<"Account"> }) {
  const name = () => props.account.display_name;
  const change = async (body: Body<"UpdateAccountRequest">, done: string) => {
    try {
      await changeAccount(props.account.name, body);
      notify(done);
    } catch (error) {
      notifyFailure(error);
    }
  };
  const disable = async () => {
    const question = { title: t.disableTitle(name()), body: t.disableBody, verb: t.disable, danger: true };
    if (await confirm(question)) await change({ disabled: true }, t.disabled);
  };
  const endSessions = async () => {
    const question = { title: t.endSessionsTitle(name()), body: t.endSessionsBody, verb: t.endSessions, danger: true };
    if (await confirm(question)) await change({ sessions_valid_after: new Date().toISOString() }, t.sessionsEnded);
  };
  return (
    <>
      <Button onClick={() => void endSessions()}>{t.endSessions}</Button>
      <Show
        when={props.account.disabled}
        fallback={
          <Button kind="danger" onClick={() => void disable()}>
            {t.disable}
          </Button>
        }
      >
        <Button onClick={() => void change({ disabled: false }, t.enabled)}>{t.enable}</Button>
      </Show>
      <LinkButton kind="quiet" href={`/operator-audit-log?account=${props.account.name}`}>
        {t.auditLog}
      </LinkButton>
    </>
  );
}

import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { accounts as t, users } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { Loaded } from "../../ui/feedback.tsx";
import { ById, SidePanel } from "../../ui/page.tsx";
import { tell, tellFailure } from "../../ui/toast.tsx";
import { Fact, Facts, Time } from "../../ui/values.tsx";
import styles from "./account-panel.module.css";
import { AccountSettings } from "./account-settings.tsx";
import { AccountState } from "./account-state.tsx";
import { accountByName, changeAccount } from "./queries.ts";
import { Users } from "./users.tsx";

/** One account: whether it is open, what it may use, and who works in it. */
export default function AccountPanel() {
  return <ById>{(name) => <AccountByName name={name} />}</ById>;
}

function AccountByName(props: { name: string }) {
  const account = useQuery(() => accountByName(props.name));
  return (
    <SidePanel
      title={account.data?.display_name ?? props.name}
      lead={
        <span class={styles.lead}>
          <code>{props.name}</code>
          <Show when={account.data}>{(found) => <AccountState disabled={found().disabled} />}</Show>
        </span>
      }
      closeTo="/accounts"
      actions={<Show when={account.data}>{(found) => <Actions account={found()} />}</Show>}
    >
      <Loaded query={account}>
        {(found) => (
          <>
            <Facts>
              <Fact name={t.fields.created}>
                <Time at={found().created_at} />
              </Fact>
              <Fact name={t.fields.updated}>
                <Time at={found().updated_at} />
              </Fact>
              <Fact name={t.fields.ended}>
                <Time at={found().sessions_valid_after} />
              </Fact>
            </Facts>
            <div class={styles.columns}>
              <Users account={props.name} words={users.ofAccount} />
              <AccountSettings account={found()} />
            </div>
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

function Actions(props: { account: Body<"Account"> }) {
  const name = () => props.account.display_name;
  const change = async (body: Body<"UpdateAccountRequest">, done: string) => {
    try {
      await changeAccount(props.account.name, body);
      tell(done);
    } catch (error) {
      tellFailure(error);
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

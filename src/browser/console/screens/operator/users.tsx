import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { session } from "../../session/session.ts";
import { users as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Loaded, Skeleton } from "../../ui/feedback.tsx";
import { Plus } from "../../ui/icons.tsx";
import { Section } from "../../ui/page.tsx";
import { notify } from "../../ui/toast.tsx";
import { Time } from "../../ui/values.tsx";
import { NewUser, type Words } from "./new-user.tsx";
import { userList } from "./queries.ts";
import styles from "./users.module.css";

export function Users(props: { account: string; words: Words }) {
  const list = useQuery(() => userList(props.account));
  const [isAdding, setAdding] = createSignal(false);
  return (
    <Section
      title={props.words.title}
      actions={
        <Button small icon={Plus} onClick={() => setAdding(true)}>
          {props.words.add}
        </Button>
      }
    >
      <Loaded query={list} skeleton={<Skeleton rows lines={2} />}>
        {(found) => (
          <Show when={found().users.length > 0} fallback={<p class="muted">{t.empty}</p>}>
            <ul class={styles.list}>
              <For each={found().users}>{(user) => <Row account={props.account} user={user} />}</For>
            </ul>
          </Show>
        )}
      </Loaded>
      <Show when={isAdding()}>
        <NewUser account={props.account} words={props.words} onClose={() => setAdding(false)} />
      </Show>
    </Section>
  );
}

function Row(props: { account: string; user: Body<"User"> }) {
  const { id, email } = props.user;
  const path = { account: props.account, userId: id };
  const isSelf = () => session()?.user.id === id;
  const signOut = () =>
    confirmed({ title: t.signOutTitle(email), body: t.signOutBody, verb: t.signOut, danger: true }, async () => {
      await data(api.POST("/api/admin/v1/accounts/{account}/users/{userId}/sign-out", { params: { path } }));
      notify(t.signedOut(email));
      await invalidate("accounts");
    });
  const remove = () =>
    confirmed({ title: t.removeTitle(email), body: t.removeBody, verb: t.remove, danger: true }, async () => {
      await data(api.DELETE("/api/admin/v1/accounts/{account}/users/{userId}", { params: { path } }));
      notify(t.removed(email));
      await invalidate("accounts");
    });
  return (
    <li class={styles.row}>
      <div class={styles.who}>
        <div>
          <strong>{props.user.name || email}</strong> <Show when={isSelf()}>({t.you})</Show>
        </div>
        <div class="muted">
          <Show when={props.user.name}>{email}, </Show>
          {t.since} <Time at={props.user.created_at} />
        </div>
      </div>
      <Show when={!isSelf()}>
        <div class="row">
          <Button small aria-label={t.signOutOf(email)} onClick={() => void signOut()}>
            {t.signOut}
          </Button>
          <Button small kind="danger" aria-label={t.removeOf(email)} onClick={() => void remove()}>
            {t.remove}
          </Button>
        </div>
      </Show>
    </li>
  );
}

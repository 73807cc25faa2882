import { createSignal, Match, Switch } from "solid-js";
import { data, publicApi } from "../api/client.ts";
import { common, resetPassword as t } from "../texts/index.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Note } from "../ui/feedback.tsx";
import { Fields } from "../ui/fields.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { createNewPassword, NewPasswordFields } from "./new-password.tsx";
import styles from "./sign-in.module.css";

/** Sets a new password by a reset link, whose token follows the # of the address, which browsers send to nobody. */
export default function ResetPassword() {
  const token = location.hash.slice(1);
  const [account = ""] = token.split(".", 1);
  const [isDone, setDone] = createSignal(false);
  document.title = `${t.title} · ${common.product}`;
  return (
    <main class={styles.page}>
      <div class={styles.card}>
        <img src="/docs/icon.svg" alt="" width="40" height="40" />
        <h1>{t.title}</h1>
        <Switch fallback={<ChoosePassword token={token} account={account} onDone={() => setDone(true)} />}>
          <Match when={isDone()}>
            <Note tone="ok">{t.done}</Note>
            <LinkButton kind="primary" href="/console/" external>
              {t.signIn}
            </LinkButton>
          </Match>
          <Match when={token === ""}>
            <Note tone="warn">{t.incomplete}</Note>
          </Match>
        </Switch>
      </div>
    </main>
  );
}

function ChoosePassword(props: { token: string; account: string; onDone: () => void }) {
  const password = createNewPassword("new_password");
  const attempt = createAttempt();

  const reset = async () => {
    const body = { token: props.token, new_password: password.value() };
    await data(publicApi.POST("/api/password/reset", { body }));
    // The token is spent: it need not stay in the address.
    history.replaceState(null, "", location.pathname);
    props.onDone();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0 || password.isMismatch()) return;
    void attempt.make(() => password.send(reset), { token_invalid: t.badLink });
  };

  return (
    <form onSubmit={submit}>
      <Fields>
        <p class="muted">{t.lead(props.account)}</p>
        <Refusal attempt={attempt} />
        <NewPasswordFields
          of={password}
          words={{ label: t.next, hint: t.nextHint, again: t.again, mismatch: t.mismatch }}
          autofocus
        />
        <Button
          kind="primary"
          type="submit"
          busy={attempt.isBusy()}
          disabled={attempt.waitS() > 0 || password.isMismatch()}
        >
          {t.verb}
        </Button>
      </Fields>
    </form>
  );
}

import { createSignal, Match, Switch } from "solid-js";
import { ApiFailure, data, publicApi } from "../api/client.ts";
import { common, resetPassword as t } from "../texts/index.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { placeFaults } from "../ui/faults.ts";
import { Note } from "../ui/feedback.tsx";
import { Fields, TextField } from "../ui/fields.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
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
        <Switch fallback={<NewPassword token={token} account={account} onDone={() => setDone(true)} />}>
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

function NewPassword(props: { token: string; account: string; onDone: () => void }) {
  const [password, setPassword] = createSignal("");
  const [again, setAgain] = createSignal("");
  const [fault, setFault] = createSignal<string>();
  const attempt = createAttempt();
  const isMismatch = () => again() !== "" && again() !== password();

  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0 || isMismatch()) return;
    setFault(undefined);
    const body = { token: props.token, new_password: password() };
    const step = async () => {
      try {
        await data(publicApi.POST("/api/password/reset", { body }));
      } catch (error) {
        const faults = error instanceof ApiFailure ? placeFaults(error.fields, ["new_password"]) : undefined;
        const found = faults?.at.get("new_password");
        if (found === undefined) throw error;
        setFault(found);
        return;
      }
      // The token is spent: it need not stay in the address.
      history.replaceState(null, "", location.pathname);
      props.onDone();
    };
    void attempt.make(step, { token_invalid: t.badLink });
  };

  return (
    <form onSubmit={submit}>
      <Fields>
        <p class="muted">{t.lead(props.account)}</p>
        <Refusal attempt={attempt} />
        <TextField
          label={t.next}
          hint={t.nextHint}
          error={fault()}
          type="password"
          value={password()}
          onInput={setPassword}
          autocomplete="new-password"
          required
          autofocus
        />
        <TextField
          label={t.again}
          error={isMismatch() ? t.mismatch : undefined}
          type="password"
          value={again()}
          onInput={setAgain}
          autocomplete="new-password"
          required
        />
        <Button kind="primary" type="submit" busy={attempt.isBusy()} disabled={attempt.waitS() > 0 || isMismatch()}>
          {t.verb}
        </Button>
      </Fields>
    </form>
  );
}

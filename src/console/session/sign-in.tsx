import { createSignal, Show } from "solid-js";
import { ApiFailure, api, data } from "../api/client.ts";
import { signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Failure } from "../ui/feedback.tsx";
import { Fields, TextField } from "../ui/fields.tsx";
import { beginSession } from "./session.ts";
import styles from "./sign-in.module.css";

/** The first screen: who are you, and of which account? */
export function SignIn() {
  const [account, setAccount] = createSignal("");
  const [email, setEmail] = createSignal("");
  const [password, setPassword] = createSignal("");
  const [failure, setFailure] = createSignal<unknown>();
  const [isBusy, setBusy] = createSignal(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { account: account(), email: email(), password: password() };
      beginSession(await data(api.POST("/api/login", { body })));
    } catch (error) {
      setFailure(error instanceof ApiFailure && error.status === 401 ? new Error(t.refused) : error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <main class={styles.page}>
      <form class={styles.card} onSubmit={submit}>
        <img src="/docs/icon.svg" alt="" width="40" height="40" />
        <h1>{t.title}</h1>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <Fields>
          <TextField label={t.account} value={account()} onInput={setAccount} required autocomplete="organization" />
          <TextField label={t.email} type="email" value={email()} onInput={setEmail} required autocomplete="username" />
          <TextField
            label={t.password}
            type="password"
            value={password()}
            onInput={setPassword}
            required
            autocomplete="current-password"
          />
          <Button kind="primary" type="submit" busy={isBusy()}>
            {t.verb}
          </Button>
        </Fields>
      </form>
    </main>
  );
}

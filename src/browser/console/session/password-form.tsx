import { createSignal, onMount } from "solid-js";
import { api, type Body, data } from "../api/client.ts";
import { signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Fields, TextField } from "../ui/fields.tsx";
import { AccountField } from "./account-field.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { lastSignIn } from "./last-sign-in.ts";

/** The way in by a password that this service keeps. */
export function PasswordForm(props: {
  account: string;
  listed: Body<"Session">["accounts"];
  onAccount: (account: string) => void;
  onSession: (session: Body<"Session">) => void;
}) {
  const { email: lastEmail } = lastSignIn();
  const [email, setEmail] = createSignal(lastEmail);
  const [password, setPassword] = createSignal("");
  const attempt = createAttempt();
  let form: HTMLFormElement | undefined;
  onMount(() => {
    const empty = [...(form?.querySelectorAll("input") ?? [])].find(({ value }) => value === "");
    empty?.focus();
  });

  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0) return;
    const body = { account: props.account.trim().toLowerCase(), email: email().trim(), password: password() };
    void attempt.make(async () => props.onSession(await data(api.POST("/api/login", { body }))), t.refused);
  };

  return (
    <form ref={form} onSubmit={submit}>
      <Fields>
        <Refusal attempt={attempt} />
        <AccountField value={props.account} listed={props.listed} onInput={props.onAccount} />
        <TextField label={t.email} type="email" value={email()} onInput={setEmail} required autocomplete="username" />
        <TextField
          label={t.password}
          type="password"
          value={password()}
          onInput={setPassword}
          required
          autocomplete="current-password"
        />
        <Button kind="primary" type="submit" busy={attempt.isBusy()} disabled={attempt.waitS() > 0}>
          {t.verb}
        </Button>
      </Fields>
    </form>
  );
}

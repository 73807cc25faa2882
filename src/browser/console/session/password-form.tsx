import { createSignal, Show } from "solid-js";
import type { Body } from "../api/client.ts";
import { signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Fields, TextField } from "../ui/fields.tsx";
import { AccountField } from "./account-field.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { lastSignIn } from "./last-sign-in.ts";
import { SecondStep } from "./second-step.tsx";
import { signInWithPassword } from "./sign-in-with-password.ts";

/** Sign-in with a password that this service stores. */
export function PasswordForm(props: {
  account: string;
  listed: Body<"Session">["accounts"];
  onAccount: (account: string) => void;
  onSession: (session: Body<"Session">) => void;
}) {
  const { email: lastEmail } = lastSignIn();
  const [email, setEmail] = createSignal(lastEmail);
  const [password, setPassword] = createSignal("");
  const [ticket, setTicket] = createSignal("");
  const attempt = createAttempt();

  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0) return;
    const body = { account: props.account.trim().toLowerCase(), email: email().trim(), password: password() };
    const step = async () => {
      const { session, ticket } = await signInWithPassword(body);
      if (session) props.onSession(session);
      else setTicket(ticket);
    };
    void attempt.make(step, { login_failed: t.refused });
  };
  const startOver = (why?: string) => {
    setTicket("");
    setPassword("");
    attempt.say(why);
  };

  return (
    <Show
      when={ticket() === ""}
      fallback={<SecondStep ticket={ticket()} onSession={props.onSession} onStartOver={startOver} />}
    >
      <form noValidate ref={(form) => queueMicrotask(() => focusEmpty(form))} onSubmit={submit}>
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
          <details>
            <summary>{t.forgot}</summary>
            <p class="muted">{t.forgotMore}</p>
          </details>
        </Fields>
      </form>
    </Show>
  );
}

function focusEmpty(form: HTMLFormElement): void {
  const empty = [...form.querySelectorAll("input")].find(({ value }) => value === "");
  empty?.focus();
}

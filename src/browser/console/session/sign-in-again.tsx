import { createSignal, Match, Show, Switch } from "solid-js";
import type { Body } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/fields.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { stopRenewing } from "./ending.ts";
import { ProviderSignIn } from "./provider-sign-in.tsx";
import { SecondStep } from "./second-step.tsx";
import { beginSession, endSession, isEnded, openAccount, session } from "./session.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";

/**
 * Asks the user to sign in again on top of the current screen, so that unsaved input stays, because their session has
 * ended or soon will.
 */
export default function SignInAgain() {
  const goOn = async (renewed: Body<"Session">) => {
    const { user, account, way = "password" } = session() ?? {};
    if (user && user.id !== renewed.user.id) throw new Error(t.otherUser(user.email));
    // Accounts that were joined to the previous session are no longer joined.
    beginSession(renewed, way, openAccount(renewed, account));
    await queries.invalidateQueries();
  };
  return (
    <Dialog
      title={isEnded() ? t.endedTitle : t.againTitle}
      stays={isEnded()}
      role={isEnded() ? "alertdialog" : "dialog"}
      onClose={stopRenewing}
    >
      <p class="muted">{isEnded() ? t.ended : t.again}</p>
      <Switch>
        <Match when={session()?.way === "password"}>
          <PasswordAgain onSession={goOn} />
        </Match>
        <Match when={session()?.way === "identity_provider"}>
          <p>{session()?.user.email}</p>
          <div class="stack-12">
            <ProviderSignIn account={session()?.account ?? ""} isPrimary onSession={goOn} />
          </div>
        </Match>
      </Switch>
      <div class="stack-12">
        <Show
          when={isEnded()}
          fallback={
            <Button kind="quiet" onClick={stopRenewing}>
              {t.later}
            </Button>
          }
        >
          <Button kind="quiet" onClick={endSession}>
            {t.other}
          </Button>
        </Show>
      </div>
    </Dialog>
  );
}

function PasswordAgain(props: { onSession: (renewed: Body<"Session">) => Promise<void> }) {
  const [password, setPassword] = createSignal("");
  const [ticket, setTicket] = createSignal("");
  const attempt = createAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    const { accounts: [home] = [], user } = session() ?? {};
    if (home === undefined || user === undefined || attempt.isBusy() || attempt.waitS() > 0) return;
    // The account to which the password belongs comes first; others are joined to its session.
    const body = { account: home.name, email: user.email, password: password() };
    const step = async () => {
      const { session, ticket } = await signInWithPassword(body);
      if (session) await props.onSession(session);
      else setTicket(ticket);
    };
    void attempt.make(step, { login_failed: t.refusedAgain });
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
      <form noValidate class="stack-12" onSubmit={submit}>
        <Refusal attempt={attempt} />
        <TextField
          label={t.email}
          type="email"
          value={session()?.user.email ?? ""}
          onInput={() => undefined}
          readonly
          autocomplete="username"
        />
        <TextField
          label={t.password}
          type="password"
          value={password()}
          onInput={setPassword}
          required
          autofocus
          autocomplete="current-password"
        />
        <Button kind="primary" type="submit" busy={attempt.isBusy()} disabled={attempt.waitS() > 0}>
          {t.verb}
        </Button>
      </form>
    </Show>
  );
}

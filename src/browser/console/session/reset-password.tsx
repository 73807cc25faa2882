import { createSignal, Match, Switch } from "solid-js";
import { data, publicApi } from "../api/client.ts";
import { resetPassword as t } from "../texts/index.ts";
import { LinkButton } from "../ui/button.tsx";
import { Note } from "../ui/feedback.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SignInCard } from "./sign-in-card.tsx";

/** Sets a new password from a link. Its token is in the fragment of the URL, which browsers don't send to servers. */
export default function ResetPassword() {
  const token = location.hash.slice(1);
  const [account = ""] = token.split(".", 1);
  const [isDone, setDone] = createSignal(false);
  const reset = async (new_password: string) => {
    await data(publicApi.POST("/api/password/reset", { body: { token, new_password } }));
    // The token is used up, so it can be removed from the address.
    history.replaceState(null, "", location.pathname);
    setDone(true);
  };
  const form = () => (
    <NewPasswordForm
      name="new_password"
      send={reset}
      refusals={{ token_invalid: t.badLink }}
      words={{ label: t.next, hint: t.nextHint, again: t.again, mismatch: t.mismatch, verb: t.verb }}
      autofocus
      lead={<p class="muted">{t.lead(account)}</p>}
    />
  );
  return (
    <SignInCard tab={t.title} heading={t.title}>
      <Switch fallback={form()}>
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
    </SignInCard>
  );
}

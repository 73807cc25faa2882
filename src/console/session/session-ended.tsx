import { createSignal, Show } from "solid-js";
import { ApiFailure, api, data } from "../api/client.ts";
import { queries } from "../api/queries.ts";
import { signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/feedback.tsx";
import { TextField } from "../ui/fields.tsx";
import { beginSession, endSession, session } from "./session.ts";

/** Asks who is here to sign in again, over the screen they were at, so that what they wrote stays. */
export function SessionEnded() {
  const [password, setPassword] = createSignal("");
  const [failure, setFailure] = createSignal<unknown>();
  const [isBusy, setBusy] = createSignal(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    const { account, user } = session() ?? {};
    if (account === undefined || user === undefined) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { account, email: user.email, password: password() };
      beginSession(await data(api.POST("/api/login", { body })));
      await queries.invalidateQueries();
    } catch (error) {
      setFailure(error instanceof ApiFailure && error.status === 401 ? new Error(t.refused) : error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={t.endedTitle} stays role="alertdialog" onClose={() => undefined}>
      <form id="sign-in-again" onSubmit={submit}>
        <p class="muted">{t.ended}</p>
        <p>{session()?.user.email}</p>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
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
        <Button kind="quiet" onClick={endSession}>
          {t.other}
        </Button>
      </form>
    </Dialog>
  );
}

import { createSignal, onCleanup, Show } from "solid-js";
import type { Body } from "../api/client.ts";
import { common, signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { signInAtProvider } from "./identity-provider.ts";

/** Sign-in at the configured identity provider, in a separate window. */
export function ProviderSignIn(props: {
  /** The account to sign in to; empty for the user's first one. */
  account: string;
  isPrimary: boolean;
  /** Receives the session. Its errors are shown. */
  onSession: (session: Body<"Session">) => void | Promise<void>;
}) {
  const attempt = createAttempt();
  const [waiting, setWaiting] = createSignal<AbortController>();
  const cancel = () => {
    waiting()?.abort();
    setWaiting(undefined);
  };
  onCleanup(cancel);

  const begin = () => {
    // A closed window reports nothing, so a new attempt cancels the previous one.
    cancel();
    const given = new AbortController();
    setWaiting(given);
    void attempt.make(async () => {
      try {
        await props.onSession(await signInAtProvider(props.account, given.signal));
      } finally {
        if (waiting() === given) setWaiting(undefined);
      }
    });
  };

  return (
    <>
      <Refusal attempt={attempt} />
      <Button kind={props.isPrimary ? "primary" : "plain"} onClick={begin} autofocus={props.isPrimary}>
        {t.provider}
      </Button>
      <Show when={waiting()}>
        <p class="muted" role="status">
          {t.waiting}{" "}
          <Button small kind="quiet" onClick={cancel}>
            {common.cancel}
          </Button>
        </p>
      </Show>
    </>
  );
}

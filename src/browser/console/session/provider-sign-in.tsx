import { createSignal, onCleanup, Show } from "solid-js";
import type { Body } from "../api/client.ts";
import { common, signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { signInAtProvider } from "./identity-provider.ts";

/** The way in by the configured identity provider, in a window of its own. */
export function ProviderSignIn(props: {
  /** The account to sign in to; empty for the user's first. */
  account: string;
  isPrimary: boolean;
  /** Takes the session. What it throws is shown. */
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
    // A closed window reports nothing: a new attempt replaces it.
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

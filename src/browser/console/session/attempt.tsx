import { createSignal, onCleanup, Show } from "solid-js";
import { ApiFailure } from "../api/client.ts";
import { signIn as t } from "../texts/index.ts";
import { Failure } from "../ui/feedback.tsx";

/**
 * The state of signing in: whether an attempt is in progress, why the last one failed, and how long the next must wait.
 */
export type Attempt = ReturnType<typeof createAttempt>;

/** Creates the state for attempts to sign in. After too many failed ones the service says how long to wait. */
export function createAttempt() {
  const [isBusy, setBusy] = createSignal(false);
  const [failure, setFailure] = createSignal<unknown>();
  const [waitS, setWaitS] = createSignal(0);
  let ticks: ReturnType<typeof setInterval> | undefined;
  onCleanup(() => clearInterval(ticks));

  const wait = (seconds: number) => {
    clearInterval(ticks);
    const until = Date.now() + seconds * 1000;
    setWaitS(seconds);
    ticks = setInterval(() => {
      setWaitS(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
      if (waitS() === 0) clearInterval(ticks);
    }, 250);
  };

  return {
    isBusy,
    failure,
    waitS,
    /** Shows why another attempt is necessary; undefined clears it. */
    say: (why: string | undefined) => setFailure(why === undefined ? undefined : new Error(why)),
    /** Makes an attempt. `Refusal` shows an error, with the text for its code if `words` has one. */
    async make(step: () => Promise<void>, words: Words = {}): Promise<void> {
      setBusy(true);
      setFailure(undefined);
      try {
        await step();
      } catch (error) {
        const seconds = error instanceof ApiFailure && error.status === 429 ? error.retryAfterS : 0;
        if (seconds > 0) wait(seconds);
        else setFailure(inWords(error, words));
      } finally {
        setBusy(false);
      }
    },
  };
}

export function Refusal(props: { attempt: Attempt }) {
  return (
    <>
      <Show when={props.attempt.failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={props.attempt.waitS() > 0}>
        <Failure error={new Error(t.wait(props.attempt.waitS()))} />
      </Show>
    </>
  );
}

/** Texts by error code. */
type Words = Partial<Record<string, string>>;

/** Errors that mean the same for every way of signing in. */
const COMMON_WORDS: Words = { account_closed: t.closed, account_mismatch: t.notYours };

/** Replaces the message of an error by the text for its code, if there is one. */
function inWords(error: unknown, words: Words): unknown {
  if (!(error instanceof ApiFailure)) return error;
  const sentence = words[error.code] ?? COMMON_WORDS[error.code];
  return sentence === undefined ? error : new Error(sentence);
}

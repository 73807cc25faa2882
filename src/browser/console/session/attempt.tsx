import { createSignal, onCleanup, Show } from "solid-js";
import { ApiFailure } from "../api/client.ts";
import { signIn as t } from "../texts/index.ts";
import { Failure } from "../ui/feedback.tsx";

/** An attempt to sign in: whether it is under way, why the last one came to nothing, and how long the next must wait. */
export type Attempt = ReturnType<typeof createAttempt>;

/** One attempt after the other; the service says how long to wait after too many that failed. */
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
    /** Says why there has to be another attempt; undefined for no reason. */
    say: (why: string | undefined) => setFailure(why === undefined ? undefined : new Error(why)),
    /** Makes an attempt; `Refusal` shows what goes wrong, in these words where there are any for its code. */
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

/** Why an attempt came to nothing, in a sentence. */
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

/** Sentences for the codes of refusals. */
type Words = Partial<Record<string, string>>;

/** Refusals that mean the same at every way of signing in. */
const COMMON_WORDS: Words = { account_closed: t.closed, account_mismatch: t.notYours };

/** The service's refusals as they are said to people; others as they are. */
function inWords(error: unknown, words: Words): unknown {
  if (!(error instanceof ApiFailure)) return error;
  const sentence = words[error.code] ?? COMMON_WORDS[error.code];
  return sentence === undefined ? error : new Error(sentence);
}

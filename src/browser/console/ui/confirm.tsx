import { createSignal, type JSX, onCleanup, Show } from "solid-js";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { notifyFailure } from "./toast.tsx";

interface Question {
  /** What is about to happen: "Stop the campaign?" */
  title: string;
  /** What it costs: "1,204 people will not be called. This cannot be undone." */
  body: JSX.Element;
  /** The verb on the button that does it. */
  verb: string;
  cancel?: string;
  danger?: boolean;
}

const [pending, setPending] = createSignal<Question & { answer: (isSure: boolean) => void }>();

/** Asks whether something is really meant; true where it is. */
export function confirm(question: Question): Promise<boolean> {
  pending()?.answer(false);
  return new Promise((answer) => setPending({ ...question, answer }));
}

/** Does what is really meant, and says why where it fails. */
export async function confirmed(question: Question, act: () => Promise<unknown>): Promise<void> {
  if (!(await confirm(question))) return;
  try {
    await act();
  } catch (error) {
    notifyFailure(error);
  }
}

/** Where `confirm` shows its questions; mounted once for the signed-in user. */
export function ConfirmHost() {
  const answer = (isSure: boolean) => {
    pending()?.answer(isSure);
    setPending(undefined);
  };
  // Who is gone says no.
  onCleanup(() => answer(false));
  return (
    <Show when={pending()} keyed>
      {(question) => (
        <Dialog
          title={question.title}
          onClose={() => answer(false)}
          role="alertdialog"
          footer={
            <>
              <Button onClick={() => answer(false)}>{question.cancel ?? common.cancel}</Button>
              <Button kind={question.danger ? "dangerPrimary" : "primary"} onClick={() => answer(true)}>
                {question.verb}
              </Button>
            </>
          }
        >
          {question.body}
        </Dialog>
      )}
    </Show>
  );
}

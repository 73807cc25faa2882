import { createSignal, type JSX, onCleanup, Show } from "solid-js";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { notifyFailure } from "./toast.tsx";

interface Question {
  /** Such as "Stop the campaign?" */
  title: string;
  /** The consequences: "1,204 people won't be called. This can't be undone." */
  body: JSX.Element;
  verb: string;
  cancel?: string;
  danger?: boolean;
}

const [pending, setPending] = createSignal<Question & { answer: (isSure: boolean) => void }>();

export function confirm(question: Question): Promise<boolean> {
  pending()?.answer(false);
  return new Promise((answer) => setPending({ ...question, answer }));
}

/** Acts after a confirmation, and shows an error. */
export async function confirmed(question: Question, act: () => Promise<unknown>): Promise<void> {
  if (!(await confirm(question))) return;
  try {
    await act();
  } catch (error) {
    notifyFailure(error);
  }
}

function answer(isSure: boolean): void {
  pending()?.answer(isSure);
  setPending(undefined);
}

/** Answers an open question with no. */
export const cancelQuestion = () => answer(false);

/** Shows the questions of `confirm`. Mounted once for the signed-in user. */
export function ConfirmHost() {
  onCleanup(cancelQuestion);
  return (
    <Show when={pending()} keyed>
      {(question) => (
        <Dialog
          title={question.title}
          onClose={cancelQuestion}
          role="alertdialog"
          footer={
            <>
              <Button onClick={cancelQuestion}>{question.cancel ?? common.cancel}</Button>
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

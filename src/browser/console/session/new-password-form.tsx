import type { JSX } from "solid-js";
import { Button } from "../ui/button.tsx";
import { Fields } from "../ui/fields.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { createNewPassword, NewPasswordFields } from "./new-password.tsx";

/** Form that sends a new password, for pages outside the frame of the console. */
export function NewPasswordForm(props: {
  name: string;
  send: (password: string) => Promise<void>;
  /** Texts by error code. */
  refusals: Partial<Record<string, string>>;
  words: Parameters<typeof NewPasswordFields>[0]["words"] & { verb: string };
  autofocus?: boolean;
  lead?: JSX.Element;
  /** Fields above those of the password. */
  children?: JSX.Element;
}) {
  const password = createNewPassword(props.name);
  const attempt = createAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0 || password.isMismatch()) return;
    void attempt.make(() => password.send(() => props.send(password.value())), props.refusals);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Fields>
        {props.lead}
        <Refusal attempt={attempt} />
        {props.children}
        <NewPasswordFields of={password} words={props.words} autofocus={props.autofocus ?? false} />
        <Button
          kind="primary"
          type="submit"
          busy={attempt.isBusy()}
          disabled={attempt.waitS() > 0 || password.isMismatch()}
        >
          {props.words.verb}
        </Button>
      </Fields>
    </form>
  );
}

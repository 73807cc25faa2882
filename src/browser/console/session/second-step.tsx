import { createSignal } from "solid-js";
import { ApiFailure, type Body, data, publicApi } from "../api/client.ts";
import { signIn as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Fields } from "../ui/fields.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { CodeField } from "./code-field.tsx";

/** The second step of signing in: a code from the authenticator app, or a recovery code. */
export function SecondStep(props: {
  /** The ticket from the first step. */
  ticket: string;
  /** Receives the session. Its errors are shown. */
  onSession: (session: Body<"Session">) => void | Promise<void>;
  /** Returns to the password, with the reason. */
  onStartOver: (why?: string) => void;
}) {
  const [code, setCode] = createSignal("");
  const [isRecovery, setRecovery] = createSignal(false);
  const attempt = createAttempt();

  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0) return;
    const body = { ticket: props.ticket, code: code().trim() };
    const step = async () => {
      try {
        await props.onSession(await data(publicApi.POST("/api/login/second-factor", { body })));
      } catch (error) {
        setCode("");
        if (error instanceof ApiFailure && error.code === "ticket_invalid") props.onStartOver(t.ticketInvalid);
        else throw error;
      }
    };
    void attempt.make(step, { wrong_code: isRecovery() ? t.wrongRecovery : t.wrongCode });
  };
  const toggle = () => {
    setRecovery(!isRecovery());
    setCode("");
    attempt.say(undefined);
  };

  return (
    <form noValidate onSubmit={submit} aria-label={t.codeTitle}>
      <Fields>
        <Refusal attempt={attempt} />
        <p class="muted">{isRecovery() ? t.recoveryLead : t.codeLead}</p>
        <CodeField isRecovery={isRecovery()} value={code()} onInput={setCode} autofocus />
        <Button kind="primary" type="submit" busy={attempt.isBusy()} disabled={attempt.waitS() > 0}>
          {t.verb}
        </Button>
        <Button kind="quiet" onClick={toggle}>
          {isRecovery() ? t.useApp : t.useRecovery}
        </Button>
        <Button kind="quiet" onClick={() => props.onStartOver()}>
          {t.startOver}
        </Button>
      </Fields>
    </form>
  );
}

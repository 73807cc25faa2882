import { createSignal, Match, onMount, Show, Switch } from "solid-js";
import { api, data } from "../api/client.ts";
import { secondFactor as t } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/feedback.tsx";
import { QrCode } from "../ui/qr-code.tsx";
import { CopiedCode } from "../ui/values.tsx";
import { createAttempt, Refusal } from "./attempt.tsx";
import { CodeField } from "./code-field.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import styles from "./second-factor.module.css";

const WORDS = { wrong_code: t.wrongCode, nothing_to_confirm: t.nothingToConfirm };

/** Sets up a second factor: shows the secret, asks for a code and shows the recovery codes. */
export function SecondFactorSetup(props: {
  /** Whether there is already a factor, whose code is required first. */
  isReplacing: boolean;
  /** Called when the factor is confirmed and its recovery codes are shown. Leaving then loses them. */
  onConfirmed?: () => void;
  onDone: () => void;
}) {
  const [secret, setSecret] = createSignal<{ secret: string; otpauth_url: string }>();
  const [codes, setCodes] = createSignal<string[]>();
  const [code, setCode] = createSignal("");
  const attempt = createAttempt();

  const begin = () =>
    attempt.make(async () => {
      const body = props.isReplacing ? { code: code().trim() } : {};
      setSecret(await data(api.POST("/api/second-factor", { body })));
      setCode("");
    }, WORDS);
  const confirm = () =>
    attempt.make(async () => {
      const body = { code: code().trim() };
      setCodes((await data(api.POST("/api/second-factor/confirm", { body }))).recovery_codes);
      props.onConfirmed?.();
    }, WORDS);
  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0) return;
    void (secret() ? confirm() : begin());
  };
  onMount(() => {
    if (!props.isReplacing) void begin();
  });

  const Submit = (button: { verb: string }) => (
    <div>
      <Button kind="primary" type="submit" busy={attempt.isBusy()} disabled={attempt.waitS() > 0}>
        {button.verb}
      </Button>
    </div>
  );

  return (
    <Show
      when={codes()}
      fallback={
        <form noValidate class="stack-12" onSubmit={submit}>
          <Switch>
            <Match when={secret()}>
              {(shown) => (
                <>
                  <p>{t.scan}</p>
                  <QrCode text={shown().otpauth_url} label={t.qrLabel} />
                  <p class="muted">{t.byHand}</p>
                  <p class={styles.key}>
                    <CopiedCode text={shown().secret} label={t.key} />
                  </p>
                  <p>{t.confirmLead}</p>
                  <Refusal attempt={attempt} />
                  <CodeField value={code()} onInput={setCode} autofocus />
                  <Submit verb={t.confirm} />
                </>
              )}
            </Match>
            <Match when={props.isReplacing}>
              <p class="muted">{t.replaceLead}</p>
              <Refusal attempt={attempt} />
              <CodeField isRecovery label={t.anyCode} value={code()} onInput={setCode} autofocus />
              <Submit verb={t.next} />
            </Match>
            <Match when={attempt.failure() || attempt.waitS() > 0}>
              <Refusal attempt={attempt} />
              <Submit verb={t.setUp} />
            </Match>
            <Match when={true}>
              <Skeleton lines={5} />
            </Match>
          </Switch>
        </form>
      }
    >
      {(shown) => <RecoveryCodes codes={shown()} onSaved={() => props.onDone()} />}
    </Show>
  );
}

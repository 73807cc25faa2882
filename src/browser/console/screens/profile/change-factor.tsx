import { createSignal, type JSX, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { createAttempt, Refusal } from "../../session/attempt.tsx";
import { CodeField } from "../../session/code-field.tsx";
import { RecoveryCodes } from "../../session/recovery-codes.tsx";
import { SecondFactorSetup } from "../../session/second-factor-setup.tsx";
import { secondFactor as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

const WORDS = { wrong_code: t.wrongCode };

/** Sets up a second factor or replaces the current one. */
export function SetUp(props: { isReplacing: boolean; onClose: () => void; onDone: () => void }) {
  const [isConfirmed, setConfirmed] = createSignal(false);
  const title = () => (props.isReplacing ? t.replace : t.setUpTitle);
  return (
    <Dialog
      title={isConfirmed() ? t.recoveryTitle : title()}
      onClose={() => props.onClose()}
      role="alertdialog"
      stays={isConfirmed()}
    >
      <SecondFactorSetup
        isReplacing={props.isReplacing}
        onConfirmed={() => setConfirmed(true)}
        onDone={() => props.onDone()}
      />
    </Dialog>
  );
}

export function NewRecoveryCodes(props: { onClose: () => void }) {
  const [codes, setCodes] = createSignal<string[]>();
  const renew = async (code: string) => {
    setCodes((await data(api.POST("/api/second-factor/recovery-codes", { body: { code } }))).recovery_codes);
  };
  return (
    <Dialog
      title={codes() ? t.recoveryTitle : t.newCodes}
      onClose={() => props.onClose()}
      role="alertdialog"
      stays={codes() !== undefined}
    >
      <Show when={codes()} fallback={<CodeForm lead={t.newCodesLead} verb={t.getCodes} onCode={renew} />}>
        {(shown) => <RecoveryCodes codes={shown()} onSaved={() => props.onClose()} />}
      </Show>
    </Dialog>
  );
}

export function TurnOff(props: { onClose: () => void; onDone: () => void }) {
  const remove = async (code: string) => {
    await data(api.DELETE("/api/second-factor", { body: { code } }));
    props.onDone();
  };
  return (
    <Dialog title={t.turnOffTitle} onClose={() => props.onClose()} role="alertdialog">
      <CodeForm lead={t.turnOffLead} verb={t.turnOff} danger onCode={remove} />
    </Dialog>
  );
}

/** Asks for a code of the current factor and shows why it was refused. */
function CodeForm(props: {
  lead: JSX.Element;
  verb: string;
  danger?: boolean;
  onCode: (code: string) => Promise<void>;
}) {
  const [code, setCode] = createSignal("");
  const attempt = createAttempt();
  const submit = (event: Event) => {
    event.preventDefault();
    if (attempt.isBusy() || attempt.waitS() > 0) return;
    void attempt.make(() => props.onCode(code().trim()), WORDS);
  };
  return (
    <form noValidate class="stack-12" onSubmit={submit}>
      <p class="muted">{props.lead}</p>
      <Refusal attempt={attempt} />
      <CodeField isRecovery label={t.anyCode} value={code()} onInput={setCode} autofocus />
      <div>
        <Button
          kind={props.danger ? "dangerPrimary" : "primary"}
          type="submit"
          busy={attempt.isBusy()}
          disabled={attempt.waitS() > 0}
        >
          {props.verb}
        </Button>
      </div>
    </form>
  );
}

import { createSignal, Match, Show, Switch } from "solid-js";
import { ApiFailure, api, data, ifMatch } from "../../../api/client.ts";
import { agentVersions, inService } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure, Note } from "../../../ui/feedback.tsx";
import { TextArea } from "../../../ui/fields.tsx";
import { awaitsService } from "../../../ui/in-service.ts";
import { notify } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { agentChanged } from "../queries.ts";
import { RequiredTests } from "./required-tests.tsx";

const t = agentVersions.publish;

/** Why required tests prevent publishing. */
type Refusal = "tests_not_run" | "tests_failed";

const MAX_NOTE_CHARS = 500;

/** Dialog that publishes the draft or a version with a note. If required tests prevent that, it offers to run them. */
export function PublishDialog(props: { version?: number | undefined; onClose: () => void }) {
  const agent = useAgent();
  const [note, setNote] = createSignal("");
  const [failure, setFailure] = createSignal<unknown>();
  const [refusal, setRefusal] = createSignal<{ code: Refusal; words: string }>();
  const [isPassed, setPassed] = createSignal(false);
  const [isAsking, setAsking] = createSignal(false);
  const [isBusy, setBusy] = createSignal(false);

  const publish = async (force: boolean) => {
    const { id } = agent();
    setBusy(true);
    setFailure(undefined);
    try {
      const body = Object.assign(
        { force },
        note().trim() === "" ? {} : { note: note().trim() },
        props.version === undefined ? {} : { version: props.version },
      );
      const request = { params: { path: { id } }, body, headers: ifMatch(agent()) };
      const isFirst = awaits();
      const { number } = await data(api.POST("/api/v1/agents/{id}/publish", request));
      await agentChanged();
      notify(isFirst ? t.inService : t.published(number));
      props.onClose();
    } catch (error) {
      const code = error instanceof ApiFailure ? error.code : "";
      if (error instanceof ApiFailure && (code === "tests_not_run" || code === "tests_failed")) {
        setRefusal({ code, words: error.message });
        setPassed(false);
      } else {
        setFailure(error);
        // Reloads the agent, because its draft may have changed.
        await agentChanged();
      }
    } finally {
      setBusy(false);
      setAsking(false);
    }
  };
  const awaits = () => awaitsService(agent());
  const title = () => {
    if (awaits()) return t.serviceTitle;
    return props.version === undefined ? t.title : t.titleOf(props.version);
  };
  const lead = () => {
    if (props.version !== undefined) return t.leadOf(props.version);
    if (awaits()) return t.serviceLead;
    return agent().versioning === "manual" ? t.lead : t.leadAuto;
  };
  const isHeldBack = () => refusal() !== undefined && !isPassed();
  return (
    <Dialog
      title={title()}
      onClose={props.onClose}
      footer={
        <Switch
          fallback={
            <Button kind="primary" busy={isBusy()} onClick={() => void publish(false)}>
              {awaits() ? inService.putIntoService : t.verb}
            </Button>
          }
        >
          <Match when={isAsking()}>
            <Button kind="dangerPrimary" busy={isBusy()} onClick={() => void publish(true)}>
              {t.anywayVerb}
            </Button>
          </Match>
          <Match when={isHeldBack()}>
            <Button kind="danger" onClick={() => setAsking(true)}>
              {t.anyway}
            </Button>
          </Match>
        </Switch>
      }
    >
      <div class="stack">
        <p>{lead()}</p>
        <TextArea
          label={t.note}
          hint={t.noteHint}
          placeholder={t.noteSample}
          value={note()}
          onInput={setNote}
          maxlength={MAX_NOTE_CHARS}
          rows={2}
        />
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <Show when={refusal()}>
          {(held) => (
            <RequiredTests
              version={props.version}
              code={held().code}
              words={held().words}
              onPassed={setPassed}
              onLeave={props.onClose}
            />
          )}
        </Show>
        <Show when={isAsking()}>
          <Note tone="warn">
            <strong>{t.anywayTitle}</strong>
            <p>{t.anywayBody}</p>
          </Note>
        </Show>
      </div>
    </Dialog>
  );
}

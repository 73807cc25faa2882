import { createSignal, onCleanup, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { service } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Note } from "../../ui/feedback.tsx";
import { Card, Section } from "../../ui/page.tsx";
import styles from "./rekey.module.css";

const { rekey: t } = service;

/** The progress: `resealed` is the total of all rounds, and the rest is from the last round. */
type Progress = Body<"ReencryptSecretsResponse">;

/** Re-encrypts all secrets, round after round, until none is left. */
export function Rekey() {
  const [progress, setProgress] = createSignal<Progress>();
  const [isRunning, setRunning] = createSignal(false);
  const [failure, setFailure] = createSignal<unknown>();
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });
  const run = async () => {
    setRunning(true);
    setFailure(undefined);
    setProgress(undefined);
    try {
      let [resealed, isOver] = [0, false];
      while (!isOver && !isGone) {
        const round = await data(api.POST("/api/admin/v1/rekey"));
        resealed += round.resealed;
        setProgress({ ...round, resealed });
        // Stops if a round makes no progress: the remaining secrets are being changed elsewhere or can't be
        // re-encrypted.
        isOver = round.left === 0 || round.resealed === 0;
      }
    } catch (error) {
      setFailure(error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Section title={t.title}>
      <Card>
        <p class={styles.words}>{t.what}</p>
        <Show when={progress()}>{(now) => <Outcome now={now()} isRunning={isRunning()} />}</Show>
        <Show when={failure()}>{(error) => <Failure error={error()} retry={() => void run()} />}</Show>
        <div>
          <Button busy={isRunning()} onClick={() => void run()}>
            {isRunning() ? t.running : t.run}
          </Button>
        </div>
      </Card>
    </Section>
  );
}

function Outcome(props: { now: Progress; isRunning: boolean }) {
  const total = () => props.now.resealed + props.now.left;
  const words = () => {
    const { resealed, failed, left } = props.now;
    if (left > 0) return t.stuck(left);
    if (failed > 0) return t.failed(failed);
    return resealed > 0 ? `${t.done(resealed)} ${t.canGo}` : t.nothing;
  };
  return (
    <>
      <Show when={total() > 0}>
        <div class={styles.progress}>
          <progress aria-label={t.title} value={props.now.resealed} max={total()} />
          <span class="numbers">{t.progress(props.now.resealed, total())}</span>
        </div>
      </Show>
      <Show when={!props.isRunning} fallback={<p class="muted">{t.leave}</p>}>
        <Note tone={props.now.left + props.now.failed > 0 ? "warn" : "ok"}>{words()}</Note>
      </Show>
    </>
  );
}

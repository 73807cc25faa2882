import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { formatSentence } from "../../texts/format.ts";
import { numbers } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { Failure, Note } from "../../ui/feedback.tsx";
import { Stethoscope } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import { Section } from "../../ui/page.tsx";
import { Badge, Time } from "../../ui/values.tsx";
import styles from "./telephony.module.css";

const { check: t } = numbers;

interface Found {
  checks: Body<"NumberCheck">[];
  warnings: Body<"NumberWarning">[];
}

/** Checks whether calls from and to a number can work, and offers to fix the inbound address. */
export function NumberChecks(props: { number: Body<"PhoneNumber"> }) {
  const [found, setFound] = createSignal<Found>();
  const checks = () => found()?.checks;
  const [failure, setFailure] = createSignal<unknown>();
  const [busy, setBusy] = createSignal<"look" | "fix">();
  const canBeFixed = () =>
    props.number.inbound_enabled && checks()?.some(({ name, ok }) => name === "inbound_address" && !ok) === true;

  const look = async (fix: boolean) => {
    setBusy(fix ? "fix" : "look");
    setFailure(undefined);
    try {
      const params = { path: { id: props.number.id }, query: fix ? { fix: "inbound" as const } : {} };
      setFound(await data(api.POST("/api/v1/telephony/numbers/{id}/check", { params })));
      await invalidate("numbers");
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  const fix = async () => {
    if (await confirm({ title: t.fixTitle, body: t.fixBody, verb: t.fixVerb })) await look(true);
  };
  return (
    <Section
      title={t.title}
      actions={
        <Button
          needs="checkPhoneNumber"
          small
          icon={Stethoscope}
          busy={busy() === "look"}
          disabled={busy() !== undefined}
          onClick={() => void look(false)}
        >
          {checks() ? t.again : t.run}
        </Button>
      }
    >
      <p class="muted">{t.lead}</p>
      <Show when={!checks() && props.number.last_check}>
        {(last) => (
          <div>
            <Badge tone={last().ok ? "ok" : "bad"}>{last().ok ? t.lastGood : t.lastBad}</Badge>{" "}
            <span class="muted">
              <Time at={last().at} />
            </span>
            <ul class={styles.failed}>
              <For each={last().failed}>{(name) => <li>{t.failedNames[name]}</li>}</For>
            </ul>
          </div>
        )}
      </Show>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <div role="status" class={styles.found}>
        <Show when={checks()}>
          {(all) => (
            <ul class={styles.checks}>
              <For each={all()}>
                {({ name, ok, detail }) => (
                  <li>
                    <Row gap={[0, 12]} justify="space-between">
                      <strong>{t.names[name]}</strong>
                      <Badge tone={ok ? "ok" : "bad"}>{ok ? t.ok : t.notOk}</Badge>
                    </Row>
                    <span class="muted">{detail}</span>
                  </li>
                )}
              </For>
            </ul>
          )}
        </Show>
        <For each={found()?.warnings}>{({ message }) => <Note tone="warn">{formatSentence(message)}</Note>}</For>
      </div>
      <Show when={canBeFixed()}>
        <div>
          <Button kind="primary" busy={busy() === "fix"} disabled={busy() !== undefined} onClick={() => void fix()}>
            {t.fix}
          </Button>
        </div>
      </Show>
    </Section>
  );
}

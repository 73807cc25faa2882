import { For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { formatNumber, formatSentence } from "../../texts/format.ts";
import { tools } from "../../texts/index.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { Section } from "../../ui/page.tsx";
import { Badge } from "../../ui/values.tsx";
import styles from "./tools.module.css";

const { run: t } = tools;

export function RunResult(props: { result: Body<"ToolRunResult">; isDry: boolean }) {
  return (
    <Stack>
      <Row gap={[4, 16]} align="baseline">
        <Show when={!props.isDry || !props.result.ok} fallback={<h2>{t.dryTitle}</h2>}>
          <Badge tone={props.result.ok ? "ok" : "bad"}>{props.result.ok ? t.worked : t.failed}</Badge>
          <Show when={props.result.response}>
            {(response) => (
              <span>
                {t.status} <strong>{response().status}</strong>
              </span>
            )}
          </Show>
          <span class="muted">{t.took(formatNumber(props.result.duration_ms))}</span>
        </Show>
      </Row>
      <Show when={props.result.error}>{(error) => <p class={styles.line}>{formatSentence(error())}</p>}</Show>
      <Show when={!props.isDry}>
        <JsonView label={t.result} value={props.result.result} />
      </Show>
      <Show when={props.result.request}>
        {(request) => (
          <Section title={props.isDry ? "" : t.request}>
            <code class={styles.line}>
              {request().method} {request().url}
            </code>
            <Show when={Object.keys(request().headers).length > 0}>
              <div>
                <For each={Object.entries(request().headers)}>
                  {([name, value]) => (
                    <p class={styles.line}>
                      <code>
                        <span class="muted">{name}:</span> {value}
                      </code>
                    </p>
                  )}
                </For>
              </div>
            </Show>
            <Show when={request().body !== null}>
              <JsonView label={t.body} value={request().body} />
            </Show>
            <p class="muted">{t.masked}</p>
          </Section>
        )}
      </Show>
      <Show when={props.result.response}>{(response) => <JsonView label={t.response} value={response().body} />}</Show>
    </Stack>
  );
}

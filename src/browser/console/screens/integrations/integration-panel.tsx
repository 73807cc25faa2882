import { A } from "@solidjs/router";
import { createSignal, For, Match, Show, Switch } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { fieldsOf } from "../../api/integration-fields.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatSentence } from "../../texts/format.ts";
import { integrations as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Loaded, Note, Skeleton } from "../../ui/feedback.tsx";
import { Row } from "../../ui/layout.tsx";
import { Section } from "../../ui/page.tsx";
import { ResourcePanel } from "../../ui/resource-panel.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import { InstallForm } from "./install-form.tsx";
import styles from "./integration-panel.module.css";
import { categoryName, IntegrationState } from "./integration-state.tsx";
import { integrationById, integrationsChanged, toolsUsing } from "./queries.ts";

export default function IntegrationPanel() {
  return (
    <ResourcePanel
      query={integrationById}
      one={t.title}
      title={({ display_name }) => display_name}
      lead={(found) => categoryName(found().category)}
      closeTo="/integrations"
    >
      {(found) => <Stored integration={found()} />}
    </ResourcePanel>
  );
}

function Stored(props: { integration: Body<"Integration"> }) {
  const [verification, setVerification] = createSignal<Body<"Verification">>();
  return (
    <>
      <div class="stack-8">
        <IntegrationState of={props.integration} />
        <p>{props.integration.description}</p>
      </div>
      <Switch>
        <Match when={props.integration.auth !== "token"}>
          <Note tone="warn">{formatSentence(props.integration.reason ?? t.closed)}</Note>
        </Match>
        <Match when={props.integration.status === "installed" && props.integration.missing.length > 0}>
          <Note tone="warn">{t.missing(missingLabels(props.integration).join(", "))}</Note>
        </Match>
        <Match when={props.integration.status === "installed" && props.integration.reason}>
          {(reason) => <Note tone="warn">{formatSentence(reason())}</Note>}
        </Match>
      </Switch>
      <Show when={props.integration.status === "installed"}>
        <Installed integration={props.integration} verification={verification()} onVerified={setVerification} />
      </Show>
      <Show when={props.integration.auth === "token"}>
        <p class="muted">
          {t.hosts} <For each={namedHosts(props.integration)}>{(host) => <code class={styles.host}>{host}</code>}</For>
        </p>
        <InstallForm integration={props.integration} onSaved={() => setVerification(undefined)} />
      </Show>
      <UsedBy integration={props.integration} />
    </>
  );
}

function Installed(props: {
  integration: Body<"Integration">;
  /** The last verification of the values that are stored now. */
  verification: Body<"Verification"> | undefined;
  onVerified: (verification: Body<"Verification"> | undefined) => void;
}) {
  const [isBusy, setBusy] = createSignal(false);
  const params = () => ({ path: { id: props.integration.id } });
  const verify = async () => {
    setBusy(true);
    props.onVerified(undefined);
    try {
      props.onVerified(await data(api.POST("/api/v1/integrations/{id}/verify", { params: params() })));
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const using = useQuery(() => toolsUsing(props.integration.name));
  const uninstall = () => {
    const title = t.uninstallTitle(props.integration.display_name);
    const body = t.uninstallBody(using.data?.length);
    return confirmed({ title, body, verb: t.uninstall, danger: true }, async () => {
      await data(api.POST("/api/v1/integrations/{id}/uninstall", { params: params() }));
      props.onVerified(undefined);
      await integrationsChanged();
      notify(t.uninstalled);
    });
  };
  return (
    <div class="stack-8">
      <div class="row">
        <Button needs="verifyIntegration" busy={isBusy()} onClick={() => void verify()}>
          {isBusy() ? t.verifying : t.verify}
        </Button>
        <Button needs="uninstallIntegration" kind="danger" onClick={() => void uninstall()}>
          {t.uninstall}
        </Button>
      </div>
      <div role="status">
        <Show when={props.verification}>
          {(found) => (
            <Note tone={found().ok ? "ok" : "warn"}>
              <strong>{found().ok ? t.works : t.worksNot}</strong>
              <p>{formatSentence(found().detail)}</p>
            </Note>
          )}
        </Show>
      </div>
    </div>
  );
}

function UsedBy(props: { integration: Body<"Integration"> }) {
  const tools = useQuery(() => toolsUsing(props.integration.name));
  const example = () => {
    return `{{${props.integration.name}.${fieldsOf(props.integration)[0]?.name}}}`;
  };
  return (
    <Section title={t.usedBy}>
      <Loaded query={tools} skeleton={<Skeleton lines={2} />}>
        {(found) => (
          <Show when={found().length > 0} fallback={<p class="muted">{t.usedByNone}</p>}>
            <Row as="ul" gap={[4, 16]}>
              <For each={found()}>
                {(tool) => (
                  <li>
                    <A href={`/tools/${tool.id}`}>{tool.display_name}</A>
                  </li>
                )}
              </For>
            </Row>
          </Show>
        )}
      </Loaded>
      <Show when={props.integration.auth === "token"}>
        <p class="muted">
          {t.refer} <code>{example()}</code>
        </p>
      </Show>
    </Section>
  );
}

/** Returns the hosts that receive the secrets. A value that isn't stored yet is shown by its label. */
function namedHosts({ hosts, asks_for }: Body<"Integration">): string[] {
  const labelOf = (name: string) => asks_for.params.find((field) => field.name === name)?.label ?? name;
  return hosts.map((host) => host.replace(/\{(\w+)\}/, (_, name: string) => `<${labelOf(name)}>`));
}

function missingLabels({ missing, asks_for }: Body<"Integration">): string[] {
  const fields = [...asks_for.params, ...asks_for.secrets];
  return missing.map((name) => fields.find((field) => field.name === name)?.label ?? name);
}

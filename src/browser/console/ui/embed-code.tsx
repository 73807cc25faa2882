import { createSignal, Match, Switch } from "solid-js";
import { ApiFailure, api, data } from "../api/client.ts";
import { widgetKeys as t } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Failure, Note } from "./feedback.tsx";

/** Returns the line of HTML that shows the widget on a page. */
export const embedCode = (key: string): string =>
  `<script src="${location.origin}/widget.js" data-client-key="${key}" async></script>`;

/** Shows the embed code of an existing key on request, because revealing it is recorded in the audit log. */
export function EmbedCode(props: { keyId: string }) {
  const [key, setKey] = createSignal<string>();
  const [failure, setFailure] = createSignal<unknown>();
  const [busy, setBusy] = createSignal(false);
  const isNotStored = () => {
    const failed = failure();
    return failed instanceof ApiFailure && failed.code === "key_not_stored";
  };
  const show = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const params = { path: { id: props.keyId } };
      setKey((await data(api.GET("/api/v1/widget-keys/{id}/key", { params }))).key);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const ask = () => (
    <div>
      <Button needs="revealWidgetKey" small onClick={() => void show()} busy={busy()}>
        {t.showEmbed}
      </Button>
    </div>
  );
  return (
    <Switch fallback={ask()}>
      <Match when={key()}>{(shown) => <CodeBlock label={t.embed} code={embedCode(shown())} />}</Match>
      <Match when={isNotStored()}>
        <Note tone="warn">{t.notStored}</Note>
      </Match>
      <Match when={failure()}>{(failed) => <Failure error={failed()} retry={() => void show()} />}</Match>
    </Switch>
  );
}

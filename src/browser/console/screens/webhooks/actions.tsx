import { createSignal, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { common, webhooks as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useDelete } from "../../ui/resource-panel.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import { Opened } from "./delivery.tsx";
import { type Delivery, type Webhook, webhooksChanged } from "./queries.ts";
import { ResendFailed } from "./resend-failed.tsx";

export function Actions(props: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const confirmDelete = useDelete("/webhooks", "webhooks");
  const [tested, setTested] = createSignal<Delivery>();
  const [isTesting, setTesting] = createSignal(false);
  const [isResending, setResending] = createSignal(false);
  const params = () => ({ path: { id: props.webhook.id } });

  const setEnabled = async (enabled: boolean) => {
    await data(api.PATCH("/api/v1/webhooks/{id}", { params: params(), body: { enabled } }));
    await webhooksChanged();
    if (enabled) notify(t.enabled);
  };
  const disable = () =>
    confirmed({ title: t.disableTitle, body: t.disableBody, verb: t.disable, danger: true }, () => setEnabled(false));
  const rotate = () =>
    confirmed({ title: t.rotateTitle, body: t.rotateBody, verb: t.rotate }, async () => {
      const rotated = await data(api.POST("/api/v1/webhooks/{id}/rotate-secret", { params: params() }));
      if (rotated.secret !== null) props.onSecret(rotated.secret);
      notify(t.rotated(rotated.secret_expires_at));
      await webhooksChanged();
    });
  const test = async () => {
    setTesting(true);
    try {
      setTested(await data(api.POST("/api/v1/webhooks/{id}/test", { params: params() })));
      await webhooksChanged();
    } catch (error) {
      notifyFailure(error);
    } finally {
      setTesting(false);
    }
  };
  const remove = () => confirmDelete(t.remove, () => api.DELETE("/api/v1/webhooks/{id}", { params: params() }));

  return (
    <>
      <Show
        when={props.webhook.status === "disabled"}
        fallback={
          <Button needs="updateWebhook" onClick={() => void disable()}>
            {t.disable}
          </Button>
        }
      >
        <Button needs="updateWebhook" kind="primary" onClick={() => void setEnabled(true).catch(notifyFailure)}>
          {t.enable}
        </Button>
      </Show>
      <Button needs="testWebhook" busy={isTesting()} onClick={() => void test()}>
        {isTesting() ? t.testing : t.test}
      </Button>
      <Button
        needs="resendFailedWebhookDeliveries"
        disabled={props.webhook.status === "disabled"}
        onClick={() => setResending(true)}
      >
        {t.resendAll}
      </Button>
      <Button needs="rotateWebhookSecret" onClick={() => void rotate()}>
        {t.rotate}
      </Button>
      <Button needs="deleteWebhook" kind="danger" onClick={() => void remove()}>
        {common.delete}
      </Button>
      <Show when={tested()}>
        {(delivery) => (
          <Dialog title={t.tested} onClose={() => setTested(undefined)}>
            <Opened delivery={delivery()} />
          </Dialog>
        )}
      </Show>
      <Show when={isResending()}>
        <ResendFailed id={props.webhook.id} onClose={() => setResending(false)} />
      </Show>
    </>
  );
}

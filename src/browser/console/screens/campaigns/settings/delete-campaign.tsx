import { useNavigate } from "@solidjs/router";
import { createSignal } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { campaignSettings } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { confirm } from "../../../ui/confirm.tsx";
import { Section } from "../../../ui/page.tsx";
import { notify, notifyFailure } from "../../../ui/toast.tsx";

const t = campaignSettings.delete;

/** Deletes a campaign that isn't running, after the user confirms what is lost. */
export function DeleteCampaign(props: { campaign: Body<"Campaign"> }) {
  const navigate = useNavigate();
  const [busy, setBusy] = createSignal(false);
  const isRunning = () => props.campaign.status === "running";
  const remove = async () => {
    const { id, name, total_contacts, counts } = props.campaign;
    const body = t.cost(total_contacts, counts.pending);
    if (!(await confirm({ title: t.question(name), body, verb: t.verb, danger: true }))) return;
    setBusy(true);
    try {
      await data(api.DELETE("/api/v1/campaigns/{id}", { params: { path: { id } } }));
      navigate("/campaigns");
      notify(t.deleted);
      // Its own screens must not fetch it again.
      await queries.invalidateQueries({ queryKey: ["campaigns"], exact: true });
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t.title}>
      <p class="muted">{isRunning() ? t.running : t.lead}</p>
      <div>
        <Button kind="danger" disabled={isRunning()} busy={busy()} onClick={() => void remove()}>
          {t.action}
        </Button>
      </div>
    </Section>
  );
}

import { useParams } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { may } from "../../../api/may.ts";
import { storedBy, useQuery } from "../../../api/use-query.ts";
import { common, campaignSettings as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Loaded, Note } from "../../../ui/feedback.tsx";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { Section } from "../../../ui/page.tsx";
import { SaveBar } from "../../../ui/save-bar.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { notify } from "../../../ui/toast.tsx";
import { campaignById, campaignsChanged } from "../live/queries.ts";
import { CloneCampaign } from "./clone-campaign.tsx";
import { DeleteCampaign } from "./delete-campaign.tsx";
import styles from "./settings.module.css";
import { SettingsFields } from "./settings-fields.tsx";
import { changesBetween, settingsOf } from "./settings-values.ts";

export default function Settings() {
  const params = useParams<{ id: string }>();
  const campaign = useQuery(() => campaignById(params.id));
  return (
    <Loaded query={campaign}>
      {(found) => (
        <Stack gap={28}>
          {/* Another state may make the fields editable. Recreating them shows the values stored in the meantime. */}
          <Show when={lockOf(found()) ?? "open"} keyed>
            {(_lock) => <SettingsForm campaign={found()} />}
          </Show>
          <CloneAndDelete campaign={found()} />
        </Stack>
      )}
    </Loaded>
  );
}

function SettingsForm(props: { campaign: Body<"Campaign"> }) {
  const { id } = props.campaign;
  const form = createForm({
    initial: settingsOf(props.campaign),
    stored: storedBy(props.campaign, campaignById(id), settingsOf),
    save: async (values, before, headers) => {
      const body = changesBetween(before, values);
      const saved = await data(api.PATCH("/api/v1/campaigns/{id}", { params: { path: { id } }, body, headers }));
      await campaignsChanged();
      notify(common.saved);
      return saved;
    },
  });
  const lock = () => lockOf(props.campaign);
  return (
    <ScopedForm needs="updateCampaign" onSubmit={form.submit}>
      <Section title={t.title}>
        <Show when={lock()}>
          {(why) => (
            <Note>
              <p>{t.locked[why()]}</p>
            </Note>
          )}
        </Show>
        <fieldset class={styles.groups} disabled={lock() !== undefined}>
          <SettingsFields form={form} />
        </fieldset>
        <FormProblem form={form} />
        <Show when={!lock()}>
          <SaveBar form={form} />
        </Show>
      </Section>
    </ScopedForm>
  );
}

function CloneAndDelete(props: { campaign: Body<"Campaign"> }) {
  const [isCloning, setCloning] = createSignal(false);
  return (
    <>
      <Show when={may("cloneCampaign")}>
        <Section title={t.clone.title}>
          <p class="muted">{t.clone.lead}</p>
          <div>
            <Button onClick={() => setCloning(true)}>{t.clone.action}</Button>
          </div>
        </Section>
      </Show>
      <Show when={may("deleteCampaign")}>
        <DeleteCampaign campaign={props.campaign} />
      </Show>
      <Show when={isCloning()}>
        <CloneCampaign campaign={props.campaign} onClose={() => setCloning(false)} />
      </Show>
    </>
  );
}

/** Returns why a campaign's settings can't be changed now. */
function lockOf({ status, status_reason }: Body<"Campaign">): keyof typeof t.locked | undefined {
  if (status_reason === "importing") return "importing";
  return status === "draft" || status === "paused" ? undefined : status;
}

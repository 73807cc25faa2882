import { useNavigate } from "@solidjs/router";
import { createMemo, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { agentList } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { formatDay } from "../../../texts/format.ts";
import { newCampaign as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Failure } from "../../../ui/feedback.tsx";
import { createForm } from "../../../ui/form.ts";
import { Page, Section } from "../../../ui/page.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { notify } from "../../../ui/toast.tsx";
import { createContactList } from "../file/contact-list.ts";
import { ContactsSections } from "../file/contacts-section.tsx";
import { UPLOAD_BUTTON_ID } from "../file/focus-next.ts";
import { createUpload } from "../file/upload.ts";
import { UploadBar } from "../file/upload-bar.tsx";
import { campaignsChanged } from "../live/queries.ts";
import { SettingsFields } from "../settings/settings-fields.tsx";
import { defaultSettings, formFields } from "../settings/settings-values.ts";
import { wantedNames } from "./wanted-names.ts";

export default function NewCampaign() {
  const navigate = useNavigate();
  const list = createContactList();
  const uploading = createUpload();
  const agents = useQuery(agentList);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const form = createForm({
    initial: defaultSettings(t.defaultName(formatDay(Date.now())), timeZone),
    holdsMore: () => list.chosen() !== undefined,
    save: async (values) => {
      const campaign = await uploading.send<Body<"Campaign">>("/api/v1/campaigns", formFields(values), list);
      if (!campaign) return notify(t.upload.cancelled);
      form.reset();
      await campaignsChanged();
      navigate(`/campaigns/${campaign.id}/import`);
    },
  });
  const wanted = createMemo(() => {
    const agent = agents.data?.find(({ id }) => id === form.values.agent_id);
    return agent ? { agent: agent.name, names: wantedNames(agent) } : undefined;
  });
  const good = () => list.check()?.accepted ?? 0;
  return (
    <Page title={t.title} lead={t.lead}>
      <ContactsSections title={t.choose.title} list={list} wanted={wanted()} />
      <ScopedForm needs="createCampaign" onSubmit={form.submit}>
        <Section title={t.settings}>
          <SettingsFields form={form} />
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <UploadBar uploading={uploading}>
            <Button
              id={UPLOAD_BUTTON_ID}
              kind="primary"
              type="submit"
              disabled={list.obstacle() !== undefined}
              busy={form.busy()}
            >
              {good() > 0 && !list.obstacle() ? t.upload.verb(good()) : t.upload.waiting}
            </Button>
            <span class="muted">{list.obstacle() ?? ""}</span>
          </UploadBar>
        </Section>
      </ScopedForm>
    </Page>
  );
}

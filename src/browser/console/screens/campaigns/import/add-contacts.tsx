import { createSignal, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { newCampaign, importReport as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Failure } from "../../../ui/feedback.tsx";
import { notify } from "../../../ui/toast.tsx";
import type { ContactList } from "../file/contact-list.ts";
import { ContactsSections } from "../file/contacts-section.tsx";
import { UPLOAD_BUTTON_ID } from "../file/focus-next.ts";
import { createUpload } from "../file/upload.ts";
import { UploadBar } from "../file/upload-bar.tsx";
import { campaignsChanged } from "../live/queries.ts";

export function AddContacts(props: { campaign: Body<"Campaign">; list: ContactList }) {
  const uploading = createUpload();
  const [failure, setFailure] = createSignal<unknown>();
  const good = () => props.list.check()?.accepted ?? 0;
  const add = async () => {
    setFailure(undefined);
    try {
      const path = `/api/v1/campaigns/${props.campaign.id}/contacts`;
      const counts = await uploading.send<Body<"Campaign">["import"]>(path, [], props.list);
      if (!counts) return notify(newCampaign.upload.cancelled);
      props.list.clear();
      await campaignsChanged();
      notify(t.add.added(counts.accepted, counts.rejected, counts.duplicates));
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <>
      <ContactsSections title={t.add.title} lead={t.add.lead} list={props.list} isAdded />
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <Show when={props.list.chosen()}>
        <UploadBar uploading={uploading}>
          <Button
            id={UPLOAD_BUTTON_ID}
            kind="primary"
            disabled={props.list.obstacle() !== undefined}
            onClick={() => void add()}
          >
            {good() > 0 && !props.list.obstacle() ? newCampaign.upload.add(good()) : newCampaign.upload.waiting}
          </Button>
          <span class="muted">{props.list.obstacle() ?? ""}</span>
        </UploadBar>
      </Show>
    </>
  );
}

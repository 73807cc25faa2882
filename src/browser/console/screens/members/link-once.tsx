import { common, members as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SecretOnce } from "../../ui/secret-once.tsx";
import { Time } from "../../ui/values.tsx";

/** A link that was just created for a person. */
export interface Link {
  url: string | null;
  expires_at: string;
  /** Whether it was also sent by email. */
  mailed: boolean;
}

/** Dialog that shows a link once, to be passed on. */
export function LinkOnce(props: { title: string; label: string; to: string; link: Link; onClose: () => void }) {
  return (
    <Dialog
      title={props.title}
      stays
      onClose={props.onClose}
      footer={
        <Button kind="primary" onClick={props.onClose}>
          {common.close}
        </Button>
      }
    >
      <LinkDetails {...props} />
    </Dialog>
  );
}

export function LinkDetails(props: { label: string; to: string; link: Link }) {
  return (
    <div class="stack-12">
      <p>{props.link.mailed ? t.link.mailed(props.to) : t.link.handOver(props.to)}</p>
      <SecretOnce label={props.label} secret={props.link.url ?? ""} />
      <p class="muted">
        {t.link.expires} <Time at={props.link.expires_at} />
      </p>
    </div>
  );
}

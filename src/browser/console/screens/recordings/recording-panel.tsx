import { Show } from "solid-js";
import { api, type Body } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { callById, recordingById } from "../../api/records.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatBytes, formatDuration } from "../../texts/format.ts";
import { common, recordings as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { saveFrom } from "../../ui/download.ts";
import { Download, MessagesSquare, PhoneCall, Trash } from "../../ui/icons.tsx";
import { AgentLink, CampaignLink } from "../../ui/named.tsx";
import { Hidden } from "../../ui/not-allowed.tsx";
import { createPlayer, Player, playbackUrl } from "../../ui/player.tsx";
import { ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { notifyFailure } from "../../ui/toast.tsx";
import { CopiedCode, Facts, PhoneNumber, Time } from "../../ui/values.tsx";

export default function RecordingPanel() {
  return (
    <ResourcePanel
      query={recordingById}
      one={t.one}
      title={() => t.one}
      lead={(recording) => <Time at={recording().created_at} />}
      closeTo="/recordings"
      actions={(recording) => <Actions recording={recording()} />}
    >
      {(recording) => <Details recording={recording()} />}
    </ResourcePanel>
  );
}

function Details(props: { recording: Body<"Recording"> }) {
  const call = useQuery(() => callById(props.recording.call_id));
  const player = createPlayer(props.recording);
  const number = () => {
    const found = call.data;
    if (!found) return undefined;
    return <PhoneNumber e164={found.direction === "outbound" ? found.to_number : found.from_number} />;
  };
  return (
    <>
      <Show when={may("getRecordingUrl")} fallback={<Hidden />}>
        <Player player={player} />
      </Show>
      <Facts
        of={[
          [t.facts.number, number],
          [t.facts.agent, () => <AgentLink id={props.recording.agent_id} />],
          [t.facts.campaign, () => props.recording.campaign_id && <CampaignLink id={props.recording.campaign_id} />],
          [t.facts.received, () => <Time at={props.recording.created_at} />],
          [
            t.facts.length,
            () =>
              props.recording.duration_ms === null
                ? t.unknownLength
                : formatDuration(props.recording.duration_ms / 1000),
          ],
          [t.facts.size, () => formatBytes(props.recording.size_bytes)],
          [t.facts.format, () => <code>{props.recording.content_type}</code>],
          [t.facts.id, () => <CopiedCode text={props.recording.id} />],
        ]}
      />
    </>
  );
}

function Actions(props: { recording: Body<"Recording"> }) {
  const call = useQuery(() => callById(props.recording.call_id));
  const conversation = () => call.data?.conversation_id;
  const download = async () => {
    const { id, content_type } = props.recording;
    try {
      saveFrom(await playbackUrl(id), `recording-${id}.${content_type === "audio/mpeg" ? "mp3" : "wav"}`);
    } catch (error) {
      notifyFailure(error);
    }
  };
  // Calls refer to their recordings.
  const confirmDelete = useDelete("/recordings", "recordings", "calls");
  const remove = () =>
    confirmDelete(
      { title: t.deleteTitle, body: t.deleteBody },
      () => api.DELETE("/api/v1/recordings/{id}", { params: { path: { id: props.recording.id } } }),
      t.deleted,
    );
  return (
    <>
      <LinkButton small icon={PhoneCall} href={`/calls/${props.recording.call_id}`}>
        {t.showCall}
      </LinkButton>
      <Show when={conversation()}>
        {(id) => (
          <LinkButton small icon={MessagesSquare} href={`/conversations/${id()}`}>
            {t.showConversation}
          </LinkButton>
        )}
      </Show>
      <Button needs="getRecordingUrl" small icon={Download} onClick={() => void download()}>
        {t.download}
      </Button>
      <Button needs="deleteRecording" small kind="danger" icon={Trash} onClick={() => void remove()}>
        {common.delete}
      </Button>
    </>
  );
}

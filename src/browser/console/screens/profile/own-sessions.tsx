import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { signOut } from "../../session/sign-out.ts";
import { profile as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Loaded } from "../../ui/feedback.tsx";
import { Section } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { Badge, Time } from "../../ui/values.tsx";

type OwnSession = Body<"OwnSession">;

const end = (id: string) => data(api.DELETE("/api/sessions/{id}", { params: { path: { id } } }));

export function OwnSessions() {
  const sessions = useQuery(() => query(["sessions"], (signal) => data(api.GET("/api/sessions", { signal }))));
  const others = () => sessions.data?.sessions.filter(({ current }) => !current) ?? [];

  const endOne = ({ id, device, current }: OwnSession) =>
    current
      ? signOut()
      : confirmed(
          { title: t.endTitle(device || t.unknownDevice), body: t.endBody, verb: t.end, danger: true },
          async () => {
            await end(id);
            notify(t.ended);
            await invalidate("sessions");
          },
        );
  const endOthers = () =>
    confirmed({ title: t.endOthersTitle, body: t.endBody, verb: t.endOthers, danger: true }, async () => {
      try {
        // A session that has already ended answers 404, which must not stop the others.
        const results = await Promise.allSettled(others().map(({ id }) => end(id)));
        const failed = results.find((result) => result.status === "rejected" && result.reason.status !== 404);
        if (failed?.status === "rejected") throw failed.reason;
        notify(t.othersEnded);
      } finally {
        await invalidate("sessions");
      }
    });

  const columns: Column<OwnSession>[] = [
    {
      header: t.device,
      cell: (one) => (
        <>
          {one.device || t.unknownDevice}{" "}
          <Show when={one.current}>
            <Badge tone="ok">{t.thisSession}</Badge>
          </Show>
          <div class="quiet">{one.address}</div>
        </>
      ),
    },
    { header: t.signedIn, cell: ({ created_at }) => <Time at={created_at} />, minor: true },
    { header: t.lastSeen, cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
    {
      header: "",
      cell: (one) => (
        <Button small onClick={() => void endOne(one)}>
          {one.current ? t.signOut : t.end}
        </Button>
      ),
    },
  ];

  return (
    <Section
      title={t.sessions}
      actions={
        <Show when={others().length > 0}>
          <Button onClick={() => void endOthers()}>{t.endOthers}</Button>
        </Show>
      }
    >
      <Loaded query={sessions}>
        {(found) => <Table label={t.sessions} columns={columns} rows={found().sessions} />}
      </Loaded>
    </Section>
  );
}

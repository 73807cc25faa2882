import { A } from "@solidjs/router";
import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { seesContent } from "../../api/may.ts";
import type { Answer } from "../../api/queries.ts";
import { formatDuration } from "../../texts/format.ts";
import { codeInWords, overview as t } from "../../texts/index.ts";
import { Loaded, Skeleton } from "../../ui/feedback.tsx";
import { AgentLink } from "../../ui/named.tsx";
import { Hidden } from "../../ui/not-allowed.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge, Time } from "../../ui/values.tsx";

type Conversation = Body<"Conversation">;

export function RecentConversations(props: { conversations: Answer<{ conversations: Conversation[] }> }) {
  const columns: Column<Conversation>[] = [
    { header: t.columns.with, cell: ({ phone_number }) => (phone_number ? groupedNumber(phone_number) : t.visitor) },
    { header: t.columns.agent, cell: ({ agent_id }) => <AgentLink id={agent_id} /> },
    {
      header: t.columns.disposition,
      cell: ({ disposition }) => {
        if (!seesContent()) return <Hidden short />;
        return disposition ? codeInWords(disposition) : "–";
      },
      minor: true,
    },
    {
      header: t.columns.duration,
      numbers: true,
      minor: true,
      cell: ({ duration_ms }) => (
        <Show when={duration_ms !== null} fallback={<Badge tone="live">{t.live}</Badge>}>
          {formatDuration((duration_ms ?? 0) / 1000)}
        </Show>
      ),
    },
    { header: t.columns.began, numbers: true, cell: ({ started_at }) => <Time at={started_at} /> },
  ];
  return (
    <Section title={t.recent} actions={<A href="/conversations">{t.allConversations}</A>}>
      <Loaded query={props.conversations} skeleton={<Skeleton rows />}>
        {(found) => (
          <Table
            label={t.recent}
            columns={columns}
            rows={found().conversations}
            href={({ id }) => `/conversations/${id}`}
            empty={
              <Card>
                <p class="muted">{t.noConversations}</p>
              </Card>
            }
          />
        )}
      </Loaded>
    </Section>
  );
}

import type { RouteSectionProps } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useInfiniteQuery } from "../../api/use-query.ts";
import { doNotCall as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { distinct } from "../../ui/pages.ts";
import { groupedNumber } from "../../ui/phone-number.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import type { Column } from "../../ui/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { PhoneNumber, Time } from "../../ui/values.tsx";
import { doNotCallPages } from "./queries.ts";

type Entry = Body<"DoNotCallEntry">;

const COLUMNS: Column<Entry>[] = [
  { header: t.columns.number, cell: ({ phone_number }) => <PhoneNumber e164={phone_number} /> },
  {
    header: t.columns.reason,
    cell: ({ reason }) => (
      <Show when={reason} fallback={<span class="muted">{t.noReason}</span>}>
        {reason}
      </Show>
    ),
  },
  { header: t.columns.added, cell: ({ created_at }) => <Time at={created_at} />, numbers: true, minor: true },
  {
    header: t.columns.action,
    cell: ({ phone_number }) => (
      <Button
        needs="removeDoNotCall"
        small
        kind="quiet"
        aria-label={t.removeLabel(groupedNumber(phone_number))}
        onClick={() => void remove(phone_number)}
      >
        {t.remove}
      </Button>
    ),
    numbers: true,
  },
];

export default function DoNotCall(props: RouteSectionProps) {
  const pages = useInfiniteQuery(doNotCallPages);
  return (
    <ResourceList
      texts={t}
      path="/do-not-call"
      newAt="/do-not-call/add"
      query={pages}
      rows={(found) =>
        distinct(
          found.pages.flatMap(({ numbers }) => numbers),
          idOf,
        )
      }
      columns={COLUMNS}
      end={(rows, found) => <ShowMore pages={pages} shown={rows().length} total={found().pages[0]?.total} />}
      panel={props.children}
    />
  );
}

const idOf = ({ phone_number }: Entry): string => phone_number;

function remove(e164: string): Promise<void> {
  const number = groupedNumber(e164);
  const question = { title: t.removeTitle(number), body: t.removeBody, verb: t.remove, danger: true };
  return confirmed(question, async () => {
    try {
      await data(api.DELETE("/api/v1/do-not-call/{e164}", { params: { path: { e164 } } }));
      notify(t.removed(number));
    } finally {
      await invalidate("do-not-call");
    }
  });
}

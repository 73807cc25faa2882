import { For, Show } from "solid-js";
import { ApiFailure, type Body } from "../../api/client.ts";
import type { QueryContext } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { service as t } from "../../texts/index.ts";
import { Note, Skeleton } from "../../ui/feedback.tsx";
import { Section } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge } from "../../ui/values.tsx";

type Part = keyof Body<"Readiness">;

const PARTS: Part[] = ["d1", "migrations", "storage", "gate", "ledger", "events", "encryption", "signing", "runtime"];
/** How often readiness is fetched, ms. The service itself checks at most every five seconds. */
const REFETCH_INTERVAL_MS = 10_000;

interface Found {
  readiness: Body<"Readiness">;
  /** Whether the service lacks its own address, so that it can't be reached from outside. */
  hasNoAddress: boolean;
}

/** Returns the state of each part of the service. A service that isn't ready answers 503 with the same body. */
async function askReadiness({ signal }: QueryContext): Promise<Found> {
  const response = await fetch("/readyz", { signal, headers: { accept: "application/json" } });
  const code = response.headers.get("x-error-code");
  if (!response.ok && code !== "not_ready" && code !== "public_url_missing") {
    throw new ApiFailure(response.status, code ?? "", response.statusText, response.headers.get("x-request-id") ?? "");
  }
  const readiness: Body<"Readiness"> = await response.json();
  return { readiness, hasNoAddress: code === "public_url_missing" };
}

export function Health() {
  const health = useQuery(() => ({
    queryKey: ["readiness"],
    queryFn: askReadiness,
    refetchInterval: REFETCH_INTERVAL_MS,
    retry: false,
  }));
  return (
    <Section title={t.health}>
      <Show when={!health.isPending} fallback={<Skeleton rows lines={PARTS.length} />}>
        <Show when={health.isError}>
          <Note tone="warn">{t.unknown}</Note>
        </Show>
        <Show when={health.data}>{(found) => <Parts found={found()} />}</Show>
      </Show>
    </Section>
  );
}

function Parts(props: { found: Found }) {
  const failed = () => PARTS.filter((part) => !props.found.readiness[part].ok);
  const remedy = (part: Part) => (part === "runtime" && props.found.hasNoAddress ? t.noAddress : t.parts[part].remedy);
  const columns: Column<Part>[] = [
    { header: t.columns.part, cell: (part) => t.parts[part].name },
    { header: t.columns.state, cell: (part) => <State ok={props.found.readiness[part].ok} /> },
    { header: t.columns.about, cell: (part) => t.parts[part].about, minor: true },
    { header: t.columns.took, cell: (part) => t.ms(props.found.readiness[part].ms), numbers: true },
  ];
  return (
    <>
      <Show when={failed().length > 0} fallback={<Note tone="ok">{t.allWell}</Note>}>
        <Note tone="warn">
          <strong>{t.notWell(failed().length)}</strong>
          <For each={failed()}>{(part) => <p>{remedy(part)}</p>}</For>
        </Note>
      </Show>
      <Table label={t.health} columns={columns} rows={PARTS} />
    </>
  );
}

function State(props: { ok: boolean }) {
  return <Badge tone={props.ok ? "ok" : "bad"}>{props.ok ? t.works : t.fails}</Badge>;
}

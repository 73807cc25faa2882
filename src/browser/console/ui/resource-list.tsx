import { useLocation, useParams } from "@solidjs/router";
import { type JSX, Show } from "solid-js";
import type { Answer } from "../api/queries.ts";
import { Button, LinkButton } from "./button.tsx";
import { Empty, Loaded, Skeleton } from "./feedback.tsx";
import type { useFilters } from "./filters.ts";
import { Plus } from "./icons.tsx";
import { ListAndPanel, Page } from "./page.tsx";
import { type Column, Table } from "./table.tsx";

interface ListTexts {
  title: string;
  lead: string;
  add?: string;
  emptyTitle?: string;
  empty?: string;
  /** Shown if no row matches the filters. */
  nothingTitle?: string;
  nothing?: string;
  clear?: string;
}

/** A screen with a list of resources: filters, a table, its empty states, and the open row beside it. */
export function ResourceList<Read, Row>(props: {
  texts: ListTexts;
  path: string;
  query: Answer<Read>;
  rows: (read: NonNullable<Read>) => Row[];
  columns: Column<Row>[];
  /** Returns the IDs by which an address may name a row, the row's own address first. Without it, rows don't open. */
  ids?: (row: Row) => string[];
  newAt?: string;
  filters?: Pick<ReturnType<typeof useFilters>, "isAny" | "clear" | "beside">;
  actions?: JSX.Element;
  /** The next step from an empty list, if it isn't to add a row. */
  emptyAction?: JSX.Element;
  skeletonLines?: number;
  /** Shown below the table, such as a link to the next page. */
  end?: (rows: () => Row[], read: () => NonNullable<Read>) => JSX.Element;
  /** The open row. Lists whose rows open as pages have none. */
  panel?: JSX.Element;
  children?: JSX.Element;
}) {
  const params = useParams();
  const location = useLocation();
  /** A row or form whose address is below the list's opens beside the list. */
  const isOpen = () => location.pathname.replace(/\/$/, "").startsWith(`/console${props.path}/`);
  const add = () => (
    <Show when={props.newAt}>
      {(address) => (
        <LinkButton href={props.filters?.beside(address()) ?? address()} kind="primary" icon={Plus}>
          {props.texts.add}
        </LinkButton>
      )}
    </Show>
  );
  const empty = () =>
    props.filters?.isAny() ? (
      <Empty
        title={props.texts.nothingTitle ?? ""}
        action={<Button onClick={() => props.filters?.clear()}>{props.texts.clear}</Button>}
      >
        {props.texts.nothing}
      </Empty>
    ) : (
      <Empty title={props.texts.emptyTitle ?? ""} action={props.emptyAction ?? add()}>
        {props.texts.empty}
      </Empty>
    );
  const page = () => (
    <Page
      title={props.texts.title}
      lead={props.texts.lead}
      actions={
        <>
          {props.actions}
          {add()}
        </>
      }
      wide
    >
      {props.children}
      <Loaded query={props.query} skeleton={<Skeleton rows lines={props.skeletonLines ?? 6} />}>
        {(found) => {
          const rows = () => props.rows(found());
          return (
            <>
              <Table
                label={props.texts.title}
                columns={props.columns}
                rows={rows()}
                href={props.ids && ((row) => `${props.path}/${props.ids?.(row)[0]}`)}
                isOpen={(row) => params.id !== undefined && props.ids?.(row).includes(params.id) === true}
                empty={empty()}
              />
              {props.end?.(rows, found)}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
  return "panel" in props ? <ListAndPanel isOpen={isOpen()} panel={props.panel} list={page()} /> : page();
}

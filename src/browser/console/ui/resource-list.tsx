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
  /** The button that leads to the form for a new one. */
  add?: string;
  emptyTitle?: string;
  empty?: string;
  /** Shown when no row matches the filters. */
  nothingTitle?: string;
  nothing?: string;
  clear?: string;
}

/** A screen that lists what an account has: filters, a table, its empty states, and the open row beside it. */
export function ResourceList<Read, Row>(props: {
  texts: ListTexts;
  /** The list's address. */
  path: string;
  query: Answer<Read>;
  rows: (read: NonNullable<Read>) => Row[];
  columns: Column<Row>[];
  /** The ids by which an address may name a row, its own address first; without them rows do not open. */
  ids?: (row: Row) => string[];
  /** The address of the form for a new one. */
  newAt?: string;
  filters?: Pick<ReturnType<typeof useFilters>, "isAny" | "clear" | "beside">;
  /** More buttons beside the title. */
  actions?: JSX.Element;
  /** The next step from an empty list, where it is another than to add one. */
  emptyAction?: JSX.Element;
  skeletonLines?: number;
  /** What stands under the table, such as the way to the next page. */
  end?: (rows: () => Row[], read: () => NonNullable<Read>) => JSX.Element;
  /** The open row; a list whose rows are pages of their own has none. */
  panel?: JSX.Element;
  /** What stands above the table: the filters. */
  children?: JSX.Element;
}) {
  const params = useParams();
  const location = useLocation();
  /** A row or a form whose address is below the list's opens beside it. */
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

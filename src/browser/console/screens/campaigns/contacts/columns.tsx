import { type Accessor, type JSX, Match, Show, Switch } from "solid-js";
import { access, codeInWords, board as t } from "../../../texts/index.ts";
import { inLine } from "../../../ui/in-line.ts";
import type { Column } from "../../../ui/table.tsx";
import { Badge, PhoneNumber, Time } from "../../../ui/values.tsx";
import { VerdictBadge } from "../../../ui/verdict.tsx";
import type { Campaign } from "../live/campaign-events.ts";
import { type ShownContact, stateOf, TONES } from "./shown-contact.ts";

const MAX_VARIABLES = 3;

/** A row of the list with the current state of its contact. */
interface Row {
  id: string;
  contact: Accessor<ShownContact | undefined>;
}

/** Returns the columns of a campaign's contacts. Cells are updated in place. */
export function columnsOf(status: Accessor<Campaign["status"] | undefined>): Column<Row>[] {
  const { columns } = t.contacts;
  return [
    { header: columns.number, cell: cellOf(({ phone_number }) => <PhoneNumber e164={phone_number} plain />) },
    {
      header: columns.state,
      cell: cellOf((contact) => <Badge tone={TONES[contact.status]}>{stateOf(contact)}</Badge>),
    },
    {
      header: columns.why,
      cell: cellOf((contact) => (
        <span class="muted">
          <Why contact={contact} campaign={status()} />
        </span>
      )),
      minor: "phone",
    },
    { header: columns.about, cell: cellOf((contact) => <span class="muted">{about(contact)}</span>), minor: true },
    { header: columns.tries, cell: cellOf(({ tries }) => tries), numbers: true, minor: "phone" },
    {
      header: columns.changed,
      cell: cellOf(({ tries, status, at }) => (
        <Show when={tries > 0 || status !== "pending"}>
          <Time at={at} />
        </Show>
      )),
      numbers: true,
    },
  ];
}

const cellOf = (show: (contact: ShownContact) => JSX.Element) => (row: Row) => (
  <Show when={row.contact()} keyed>
    {show}
  </Show>
);

/** Why a contact is waiting, or its outcome if the state doesn't say it all. */
function Why(props: { contact: ShownContact; campaign: Campaign["status"] | undefined }) {
  return (
    <Switch fallback={whyOf(props.contact, props.campaign)}>
      <Match when={props.contact.again}>
        {(at) => (
          <>
            {t.contacts.why.again} <Time at={at()} />
          </>
        )}
      </Match>
      <Match when={props.contact.status === "completed" && props.contact.successful}>
        {(verdict) => <VerdictBadge of={verdict()} />}
      </Match>
    </Switch>
  );
}

function whyOf({ status, outcome, reason, tries }: ShownContact, campaign: Campaign["status"] | undefined): string {
  if (status === "pending") {
    if (campaign === "paused" || campaign === "draft") return t.contacts.why[campaign];
    return tries > 0 ? t.contacts.why.retry(outcome) : t.contacts.why.turn;
  }
  if (status === "completed" || reason === null || reason === outcome) return "";
  return codeInWords(reason);
}

function about({ variables }: ShownContact): string {
  if (variables === null) return access.hiddenShort;
  if (!variables) return "";
  const values = Object.values(variables).filter((value) => value !== "");
  return inLine(values.slice(0, MAX_VARIABLES));
}

import type { Failures } from "../decide/failing.ts";
import type { WebhookRow } from "../webhook-row.ts";

/** The configuration from D1 that the object stores. */
export type Configuration = Pick<
  WebhookRow,
  | "revision"
  | "url"
  | "types"
  | "agent_ids"
  | "enabled"
  | "shows"
  | "secrets"
  | "begins_at"
  | "beginning"
  | "address_revision"
> & {
  /** False while the account is disabled; nothing is sent then. */
  isAccountOpen: boolean;
};

type Row = {
  configuration: string;
  cursor: number | null;
  known: number;
  missed: number;
  last_delivery_at: number | null;
  /** JSON of `Failures`. */
  failures: string | null;
  hold_until: number;
  disabled_reason: "gone" | "failing" | null;
  disabled_beginning: number | null;
};

/** The state of the webhook; times are ms. */
export type EndpointState = Omit<Row, "configuration" | "disabled_beginning" | "failures"> & {
  configuration: Configuration;
  failures: Failures | null;
  failing_since: number | null;
  isEnabled: boolean;
};

/** The one row of a webhook's object: its configuration and progress. */
export class Endpoint {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Null until the object has its configuration. */
  get state(): EndpointState | null {
    const [row] = this.#sql.exec<Row>("SELECT * FROM endpoint").toArray();
    if (!row) return null;
    const configuration: Configuration = JSON.parse(row.configuration);
    const { cursor, known, missed, last_delivery_at, hold_until } = row;
    const failures: Failures | null = row.failures === null ? null : JSON.parse(row.failures);
    const disabledItself = row.disabled_beginning === configuration.beginning;
    const disabled_reason = disabledItself ? row.disabled_reason : null;
    const isEnabled = configuration.enabled && configuration.isAccountOpen && !disabledItself;
    return {
      configuration,
      cursor,
      known,
      missed,
      last_delivery_at,
      failures,
      failing_since: failures?.since ?? null,
      hold_until,
      disabled_reason,
      isEnabled,
    };
  }

  /** Stores a configuration. If `beginsAnew`, the webhook's state is also reset. */
  configure(configuration: Configuration, beginsAnew: boolean): void {
    const json = JSON.stringify(configuration);
    this.#sql.exec(
      "INSERT INTO endpoint (n, configuration) VALUES (0, ?1) ON CONFLICT (n) DO UPDATE SET configuration = ?1",
      json,
    );
    if (beginsAnew) this.#sql.exec("UPDATE endpoint SET cursor = NULL, missed = 0, failures = NULL, hold_until = 0");
  }

  /** Records that the sequence has reached at least this number. */
  noteLast(last: number): void {
    this.#sql.exec("UPDATE endpoint SET known = max(known, ?)", last);
  }

  /** Records that everything up to `cursor` has been read. */
  lookedAt(cursor: number, last: number, missed: number): void {
    this.#sql.exec("UPDATE endpoint SET cursor = ?, known = max(known, ?), missed = missed + ?", cursor, last, missed);
  }

  /** Records the end of an attempt to reach the current address. */
  attempted({ deliveredAt, failures, holdUntil }: Attempted): void {
    this.#sql.exec(
      "UPDATE endpoint SET last_delivery_at = coalesce(?, last_delivery_at), failures = ?, hold_until = ?",
      deliveredAt,
      failures === null ? null : JSON.stringify(failures),
      holdUntil,
    );
  }

  /** Disables the webhook until it is started over. */
  disable(reason: "gone" | "failing", beginning: number): void {
    this.#sql.exec("UPDATE endpoint SET disabled_reason = ?, disabled_beginning = ?", reason, beginning);
  }
}

interface Attempted {
  deliveredAt: number | null;
  failures: Failures | null;
  holdUntil: number;
}

/** Quotas with temporary leases: a campaign holds one until it is listed. */
export type LeasedQuota = "open_campaigns";

/**
 * Quotas that the gate counts as leases in its own storage. The count is exact, because counting and admission are one
 * step; and a crash costs no slot forever, because a lease expires unless its campaign renews it.
 */
export class QuotaLeases {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns the campaigns that hold one. */
  campaigns(quota: LeasedQuota, now: number): string[] {
    return this.#sql
      .exec<{ campaign: string }>(
        "SELECT DISTINCT campaign FROM quota_leases WHERE quota = ? AND expires_at > ?",
        quota,
        now,
      )
      .toArray()
      .map(({ campaign }) => campaign);
  }

  /** Takes a lease for `ttl` ms. */
  take(quota: LeasedQuota, lease: { id: string; campaign: string }, ttl: number, now: number): void {
    this.#sql.exec("DELETE FROM quota_leases WHERE expires_at <= ?", now);
    this.#sql.exec(
      `INSERT INTO quota_leases (quota, id, campaign, expires_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (quota, id) DO UPDATE SET expires_at = excluded.expires_at`,
      quota,
      lease.id,
      lease.campaign,
      now + ttl,
    );
  }

  /** Frees leases; ignores those already free. */
  free(quota: LeasedQuota, ids: string[]): void {
    this.#sql.exec(
      "DELETE FROM quota_leases WHERE quota = ? AND id IN (SELECT value FROM json_each(?))",
      quota,
      JSON.stringify(ids),
    );
  }
}

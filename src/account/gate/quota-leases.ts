/** What is held for a while: a stream while somebody reads it, an upload while it is read, a campaign until it is listed. */
export type LeasedQuota = "event_streams" | "uploads" | "open_campaigns";

/**
 * What the gate counts of an account's quotas as leases in the gate's own storage. Exact, because count and admission are
 * one step; and nothing is lost for good with a process, because a lease that its campaign does not keep runs out.
 */
export class QuotaLeases {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  used(quota: LeasedQuota, now: number): number {
    return this.#sql
      .exec<{ n: number }>("SELECT count(*) n FROM quota_leases WHERE quota = ? AND expires_at > ?", quota, now)
      .one().n;
  }

  /** The campaigns that hold one. */
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

  /** Takes a lease for `ttl` ms; false where `most` are held already. */
  take(quota: LeasedQuota, lease: { id: string; campaign: string }, most: number, ttl: number, now: number): boolean {
    if (this.used(quota, now) >= most) return false;
    this.#sql.exec("DELETE FROM quota_leases WHERE expires_at <= ?", now);
    this.#sql.exec(
      `INSERT INTO quota_leases (quota, id, campaign, expires_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (quota, id) DO UPDATE SET expires_at = excluded.expires_at`,
      quota,
      lease.id,
      lease.campaign,
      now + ttl,
    );
    return true;
  }

  /**
   * The campaign has the leases `held`, and perhaps those it has `asked` for: others were lost with its process and are
   * free again. Those it has last `ttl` ms from now, also where they had run out; one with half of it left is not
   * written.
   */
  keep(quota: LeasedQuota, campaign: string, held: string[], asked: string[], ttl: number, now: number): void {
    this.#sql.exec(
      "DELETE FROM quota_leases WHERE quota = ? AND campaign = ? AND id NOT IN (SELECT value FROM json_each(?))",
      quota,
      campaign,
      JSON.stringify([...held, ...asked]),
    );
    this.#sql.exec(
      `INSERT INTO quota_leases (quota, id, campaign, expires_at) SELECT ?1, value, ?2, ?3 FROM json_each(?4) WHERE true
       ON CONFLICT (quota, id) DO UPDATE SET expires_at = excluded.expires_at WHERE expires_at <= ?5`,
      quota,
      campaign,
      now + ttl,
      JSON.stringify(held),
      now + ttl / 2,
    );
  }

  /** Frees leases; those already free are left alone. */
  free(quota: LeasedQuota, ids: string[]): void {
    this.#sql.exec(
      "DELETE FROM quota_leases WHERE quota = ? AND id IN (SELECT value FROM json_each(?))",
      quota,
      JSON.stringify(ids),
    );
  }
}

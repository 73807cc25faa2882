import { eq, ne } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { visitorFamilies } from "../../kernel/db/schema/index.ts";
import { type RefreshClaims, rememberUntil } from "./visitor-session.ts";

/**
 * Replaces the presented token by `next`, if it is the family's current one. Only the first of two concurrent uses gets
 * a row. Any other use ends the family, because one of the two bearers must have stolen the token.
 */
export function rotate(store: AccountStore, { fam, jti }: RefreshClaims, next: { jti: string; exp: number }) {
  const turn = { current: next.jti, expires_at: rememberUntil(next) };
  const isReused = all(eq(visitorFamilies.id, fam), ne(visitorFamilies.current, next.jti));
  return [
    store.upsert(
      visitorFamilies,
      { id: fam, ...turn },
      {
        target: [visitorFamilies.account, visitorFamilies.id],
        set: turn,
        setWhere: eq(visitorFamilies.current, jti),
      },
    ),
    store.update(visitorFamilies, { current: null }, isReused),
  ] as const;
}

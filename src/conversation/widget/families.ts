import { eq, ne } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { visitorFamilies } from "../../kernel/db/schema/index.ts";
import { type RefreshClaims, rememberUntil } from "./visitor-session.ts";

/**
 * Puts `next` in the place of the token presented, if that is the family's current one: only the first of two uses at
 * once gets a row. Any other use ends the family, as one of the two bearers must have stolen the token.
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

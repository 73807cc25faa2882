import { text } from "drizzle-orm/sqlite-core";
import { accounts } from "./accounts.ts";

/** A UUIDv7 made by the service. */
export const id = () => text("id").notNull();
/** Whose row it is; leads every key of account data. */
export const accountRef = () =>
  text("account")
    .notNull()
    .references(() => accounts.name);
export const createdAt = () => text("created_at").notNull();
export const updatedAt = () => text("updated_at").notNull();

import { integer, text } from "drizzle-orm/sqlite-core";

/** Returns the column with the row's id, a UUIDv7 that the service creates. */
export const id = () => text("id").notNull();
export const createdAt = () => text("created_at").notNull();
export const updatedAt = () => text("updated_at").notNull();

/**
 * Returns the columns with the revision of the fields that PATCH and PUT can change, and who raised it last and when.
 * If-Match names the revision that its sender has read. 0 stands for defaults that are not stored yet.
 */
export const revised = () => ({
  revision: integer("revision").notNull().default(1),
  updated_by: text("updated_by"),
  revised_at: text("revised_at"),
});

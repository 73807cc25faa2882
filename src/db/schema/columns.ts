import { text } from "drizzle-orm/sqlite-core";

/** A UUIDv7 made by the service. */
export const id = () => text("id").notNull();
export const createdAt = () => text("created_at").notNull();
export const updatedAt = () => text("updated_at").notNull();

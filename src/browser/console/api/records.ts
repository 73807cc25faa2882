import { api, data } from "./client.ts";
import { query } from "./queries.ts";

// What several areas ask for by its id, as in lists.ts.

/** One call. */
export const callById = (id: string) =>
  query(["calls", id], (signal) => data(api.GET("/api/v1/calls/{id}", { params: { path: { id } }, signal })));

/** One recording's record. */
export const recordingById = (id: string) =>
  query(["recordings", id], (signal) => data(api.GET("/api/v1/recordings/{id}", { params: { path: { id } }, signal })));

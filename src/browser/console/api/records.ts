import { api, data } from "./client.ts";
import { query } from "./queries.ts";

// Queries by ID that several screens share, as in lists.ts.

export const callById = (id: string) =>
  query(["calls", id], (signal) => data(api.GET("/api/v1/calls/{id}", { params: { path: { id } }, signal })));

/** Returns the query of one recording, without its audio. */
export const recordingById = (id: string) =>
  query(["recordings", id], (signal) => data(api.GET("/api/v1/recordings/{id}", { params: { path: { id } }, signal })));

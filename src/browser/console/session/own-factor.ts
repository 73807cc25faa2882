import { api, data } from "../api/client.ts";
import { query } from "../api/queries.ts";

/** Whether the signed-in user has a second factor. */
export const ownFactor = () => query(["second-factor"], (signal) => data(api.GET("/api/second-factor", { signal })));

import { api, data } from "../api/client.ts";
import { query } from "../api/queries.ts";

export const ownFactor = () => query(["second-factor"], (signal) => data(api.GET("/api/second-factor", { signal })));

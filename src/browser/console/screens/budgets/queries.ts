import { api, type Body, data } from "../../api/client.ts";
import { query } from "../../api/queries.ts";

export type Budget = Body<"Budget">;

const REFETCH_INTERVAL_MS = 10_000;

export const budgetList = () =>
  Object.assign(
    query(["budgets"], (signal) => data(api.GET("/api/v1/budgets", { signal }))),
    { refetchInterval: REFETCH_INTERVAL_MS },
  );

export const budgetById = (id: string) =>
  query(["budgets", id], (signal) => data(api.GET("/api/v1/budgets/{id}", { params: { path: { id } }, signal })));

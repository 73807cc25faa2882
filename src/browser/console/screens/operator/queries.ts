import { api, type Body, data } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";

/** All accounts. */
export const accountList = () => query(["accounts"], (signal) => data(api.GET("/api/admin/v1/accounts", { signal })));

export const accountByName = (account: string) =>
  query(["accounts", account], (signal) =>
    data(api.GET("/api/admin/v1/accounts/{account}", { params: { path: { account } }, signal })),
  );

/** What each plan gives; it changes with the service's version only. */
export const planList = () =>
  Object.assign(
    query(["plans"], (signal) => data(api.GET("/api/admin/v1/plans", { signal }))),
    { staleTime: Number.POSITIVE_INFINITY },
  );

export const userList = (account: string) =>
  query(["accounts", account, "users"], (signal) =>
    data(api.GET("/api/admin/v1/accounts/{account}/users", { params: { path: { account } }, signal })),
  );

/** Changes an account: what is left out stays. @throws ApiFailure */
export async function changeAccount(account: string, body: Body<"UpdateAccountRequest">): Promise<void> {
  await data(api.PATCH("/api/admin/v1/accounts/{account}", { params: { path: { account } }, body }));
  await invalidate("accounts");
}

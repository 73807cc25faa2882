import { api, type Body, data } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";

type Asked = { signal: AbortSignal };

/** All accounts. */
export const accountList = () => ({
  queryKey: ["accounts"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/admin/v1/accounts", { signal })),
});

export const accountByName = (account: string) => ({
  queryKey: ["accounts", account],
  queryFn: ({ signal }: Asked) =>
    data(api.GET("/api/admin/v1/accounts/{account}", { params: { path: { account } }, signal })),
});

/** What each plan gives; it changes with the service's version only. */
export const planList = () => ({
  queryKey: ["plans"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/admin/v1/plans", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export const userList = (account: string) => ({
  queryKey: ["accounts", account, "users"],
  queryFn: ({ signal }: Asked) =>
    data(api.GET("/api/admin/v1/accounts/{account}/users", { params: { path: { account } }, signal })),
});

/** Has the accounts, their panels and users ask again, after a change. */
export const accountsChanged = () => queries.invalidateQueries({ queryKey: ["accounts"] });

/** Changes an account: what is left out stays. @throws ApiFailure */
export async function changeAccount(account: string, body: Body<"UpdateAccountRequest">): Promise<void> {
  await data(api.PATCH("/api/admin/v1/accounts/{account}", { params: { path: { account } }, body }));
  await accountsChanged();
}

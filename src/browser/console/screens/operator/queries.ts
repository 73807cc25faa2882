import { ApiFailure, api, type Body, data } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";

export const accountList = () => query(["accounts"], (signal) => data(api.GET("/api/admin/v1/accounts", { signal })));

export const accountByName = (account: string) =>
  query(["accounts", account], (signal) =>
    data(api.GET("/api/admin/v1/accounts/{account}", { params: { path: { account } }, signal })),
  );

/** Returns the query of what each plan includes, which changes only with the service's version. */
export const planList = () =>
  Object.assign(
    query(["plans"], (signal) => data(api.GET("/api/admin/v1/plans", { signal }))),
    { staleTime: Number.POSITIVE_INFINITY },
  );

export const userList = (account: string) =>
  query(["accounts", account, "users"], (signal) =>
    data(api.GET("/api/admin/v1/accounts/{account}/users", { params: { path: { account } }, signal })),
  );

/** Changes an account. Omitted fields don't change. @throws ApiFailure */
export async function changeAccount(account: string, body: Body<"UpdateAccountRequest">): Promise<void> {
  await data(api.PATCH("/api/admin/v1/accounts/{account}", { params: { path: { account } }, body }));
  await invalidate("accounts");
}

/** Returns the query of the latest deletion of an account; null if none was ever scheduled. */
export const deletionOf = (account: string) =>
  query(["accounts", account, "deletion"], async (signal) => {
    const params = { path: { account } };
    try {
      return await data(api.GET("/api/admin/v1/accounts/{account}/deletion", { params, signal }));
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 404) return null;
      throw error;
    }
  });

export async function deleteAccount(account: string, body: Body<"DeleteAccountRequest">): Promise<void> {
  await data(api.DELETE("/api/admin/v1/accounts/{account}", { params: { path: { account } }, body }));
  await invalidate("accounts");
}

export async function cancelDeletion(account: string): Promise<void> {
  await data(api.POST("/api/admin/v1/accounts/{account}/deletion/cancel", { params: { path: { account } } }));
  await invalidate("accounts");
}

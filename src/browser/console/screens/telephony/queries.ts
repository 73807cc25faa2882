import { api, data } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";

type Asked = { signal: AbortSignal };

/** The account's carrier credentials. */
export const carrierList = () => ({
  queryKey: ["carriers"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/telephony/providers", { signal })),
});

/** The numbers that lie at a carrier, asked of it. */
export const numbersAtCarrier = (id: string) => ({
  queryKey: ["carriers", id, "numbers"],
  queryFn: ({ signal }: Asked) =>
    data(api.POST("/api/v1/telephony/providers/{id}/numbers", { params: { path: { id } }, signal })),
});

/** One number. */
export const numberById = (id: string) => ({
  queryKey: ["numbers", id],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/telephony/numbers/{id}", { params: { path: { id } }, signal })),
});

/** Has every list and panel ask again, after a number was changed. */
export const numbersChanged = () => queries.invalidateQueries({ queryKey: ["numbers"] });

/** Has every list and panel ask again, after credentials were changed. */
export const carriersChanged = () => queries.invalidateQueries({ queryKey: ["carriers"], exact: true });

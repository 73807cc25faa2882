import { api, data } from "../../api/client.ts";
import { query } from "../../api/queries.ts";

export const carrierList = () =>
  query(["carriers"], (signal) => data(api.GET("/api/v1/telephony/providers", { signal })));

export const numbersAtCarrier = (id: string) =>
  query(["numbers-at-carrier", id], (signal) =>
    data(api.POST("/api/v1/telephony/providers/{id}/numbers", { params: { path: { id } }, signal })),
  );

export const numberById = (id: string) =>
  query(["numbers", id], (signal) =>
    data(api.GET("/api/v1/telephony/numbers/{id}", { params: { path: { id } }, signal })),
  );

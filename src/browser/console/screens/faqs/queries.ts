import { api, data } from "../../api/client.ts";
import { query } from "../../api/queries.ts";

export const faqList = () => query(["faqs"], (signal) => data(api.GET("/api/v1/faqs", { signal })));

export const faqById = (id: string) =>
  query(["faqs", id], (signal) => data(api.GET("/api/v1/faqs/{id}", { params: { path: { id } }, signal })));

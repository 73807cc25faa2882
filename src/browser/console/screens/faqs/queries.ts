import { api, data } from "../../api/client.ts";
import { type Asked, queries } from "../../api/queries.ts";

/** All FAQs of the account. */
export const faqList = () => ({
  queryKey: ["faqs"],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/faqs", { signal })),
});

/** One FAQ. */
export const faqById = (id: string) => ({
  queryKey: ["faqs", id],
  queryFn: ({ signal }: Asked) => data(api.GET("/api/v1/faqs/{id}", { params: { path: { id } }, signal })),
});

/** Has every list and panel ask again, after a change. */
export const faqsChanged = () => queries.invalidateQueries({ queryKey: ["faqs"] });

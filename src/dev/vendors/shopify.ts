import { z } from "zod";
import { bodyAs, hasHeaders, JSON_TYPE, json, type Vendor } from "./vendor.ts";

/* shopify.dev/docs/api/admin-graphql/2026-10: orders, returnableFulfillments, returnRequest. */

const id = (kind: string) => z.string().regex(new RegExp(`^gid://shopify/${kind}/\\d+$`));
const requestBody = z.strictObject({ query: z.string(), variables: z.record(z.string(), z.unknown()) });
const order = z.strictObject({ query: z.string().regex(/^name:"[^"\\]+"$/) });
const returnable = z.strictObject({ orderId: id("Order") });
const returnRequest = z.strictObject({
  input: z.strictObject({
    orderId: id("Order"),
    returnLineItems: z
      .array(
        z.strictObject({
          fulfillmentLineItemId: id("FulfillmentLineItem"),
          quantity: z.int().min(1),
          returnReasonDefinitionId: id("ReturnReasonDefinition"),
          customerNote: z.string().max(300).optional(),
        }),
      )
      .min(1),
  }),
});

/** The used fields of the published schema, by type. */
const FIELDS: Record<string, Record<string, string>> = {
  QueryRoot: { orders: "OrderConnection", returnableFulfillments: "ReturnableFulfillmentConnection" },
  Mutation: { returnRequest: "ReturnRequestPayload" },
  OrderConnection: { nodes: "Order" },
  Order: {
    id: "",
    name: "",
    createdAt: "",
    cancelledAt: "",
    displayFinancialStatus: "",
    displayFulfillmentStatus: "",
    totalPriceSet: "MoneyBag",
    lineItems: "LineItemConnection",
    fulfillments: "Fulfillment",
  },
  MoneyBag: { presentmentMoney: "MoneyV2" },
  MoneyV2: { amount: "", currencyCode: "" },
  LineItemConnection: { nodes: "LineItem" },
  LineItem: { title: "", quantity: "", suggestedReturnReasonDefinitions: "ReturnReasonDefinitionConnection" },
  ReturnReasonDefinitionConnection: { nodes: "ReturnReasonDefinition" },
  ReturnReasonDefinition: { id: "", name: "" },
  Fulfillment: { displayStatus: "", estimatedDeliveryAt: "", deliveredAt: "", trackingInfo: "FulfillmentTrackingInfo" },
  FulfillmentTrackingInfo: { company: "", number: "", url: "" },
  ReturnableFulfillmentConnection: { nodes: "ReturnableFulfillment" },
  ReturnableFulfillment: { returnableFulfillmentLineItems: "ReturnableFulfillmentLineItemConnection" },
  ReturnableFulfillmentLineItemConnection: { nodes: "ReturnableFulfillmentLineItem" },
  ReturnableFulfillmentLineItem: { quantity: "", fulfillmentLineItem: "FulfillmentLineItem" },
  FulfillmentLineItem: { id: "", lineItem: "LineItem" },
  ReturnRequestPayload: { return: "Return", userErrors: "ReturnUserError" },
  Return: { name: "", status: "" },
  ReturnUserError: { field: "", message: "" },
};

/** Describes what is wrong with a document: an unknown field, a field without subfields, or unbalanced braces. */
export function faultOf(document: string): string | null {
  const [, kind, rest = ""] = /^(query|mutation) \w+\([^)]*\) (\{.*\})$/s.exec(document) ?? [];
  if (kind === undefined) return "syntax error";
  const types = [];
  let type = "";
  let next = kind === "query" ? "QueryRoot" : "Mutation";
  for (const [token] of rest.replace(/\([^)]*\)/g, "").matchAll(/[{}]|\w+/g)) {
    if (token === "{") {
      if (next === "") return `field of ${type} has no fields of its own`;
      types.push(type);
      type = next;
      next = "";
    } else if (next !== "") {
      return `field of type ${next} must have a selection`;
    } else if (token === "}") {
      type = types.pop() ?? "";
    } else {
      const found = FIELDS[type]?.[token];
      if (found === undefined) return `Field '${token}' doesn't exist on type '${type}'`;
      next = found;
    }
  }
  return types.length === 0 ? null : "syntax error";
}

const errors = (message: string) => json(200, { errors: [{ message }] });

export const shopify: Vendor = {
  host: "acme.myshopify.com",
  answer(request) {
    const { method, url, headers } = request;
    const auth = { "x-shopify-access-token": "shpat_1" };
    if (headers.get("x-shopify-access-token") !== "shpat_1") {
      return json(401, { errors: "[API] Invalid API key or access token (unrecognized login or wrong password)" });
    }
    if (`${method} ${url.pathname}${url.search}` !== "POST /admin/api/2026-10/graphql.json") {
      return json(404, { errors: "Not Found" });
    }
    if (!hasHeaders(request, Object.assign({}, auth, JSON_TYPE)))
      return json(415, { errors: "Unsupported Media Type" });
    const body = bodyAs(requestBody, request);
    if (!body) return json(400, { errors: { query: "Required parameter missing or invalid" } });
    const fault = faultOf(body.query);
    if (fault !== null) return errors(fault);
    if (body.query.includes("orders(first: 2, query: $query)")) {
      const { data } = order.safeParse(body.variables);
      if (!data) return errors("Variable $query of type String! was provided invalid value");
      if (data.query === 'name:"9"') return errors("Access denied for orders field. Required access: `read_orders`.");
      const found = { id: "gid://shopify/Order/1", name: "#1042", displayFulfillmentStatus: "FULFILLED" };
      return json(200, {
        data: { orders: { nodes: data.query === 'name:"1042"' ? [found] : [] } },
        extensions: { cost: { requestedQueryCost: 51 } },
      });
    }
    if (body.query.includes("returnableFulfillments(orderId: $orderId, first: 5)")) {
      if (!returnable.safeParse(body.variables).success) return errors("Variable $orderId of type ID! was invalid");
      const item = { id: "gid://shopify/FulfillmentLineItem/2", lineItem: { title: "Chair" } };
      const nodes = [{ returnableFulfillmentLineItems: { nodes: [{ quantity: 1, fulfillmentLineItem: item }] } }];
      return json(200, { data: { returnableFulfillments: { nodes } } });
    }
    const { data } = returnRequest.safeParse(body.variables);
    if (!data || !body.query.includes("returnRequest(input: $input)")) {
      return errors("Variable $input of type ReturnRequestInput! was provided invalid value");
    }
    const tooMany = data.input.returnLineItems.some(({ quantity }) => quantity > 1);
    const userErrors = tooMany ? [{ field: ["input"], message: "Return line item has an invalid quantity." }] : [];
    const created = tooMany ? null : { name: "#1042-R1", status: "REQUESTED" };
    return json(200, { data: { returnRequest: { return: created, userErrors } } });
  },
};

import { args, text, whole } from "../schema.ts";
import type { CatalogTool } from "../types.ts";

/** Shopify's Admin API as GraphQL, because its REST API accepts no new apps. Each version is supported for a year. */
const shopify = {
  url: "https://{{shopify.shop_domain}}/admin/api/2026-10/graphql.json",
  auth: { type: "header", name: "X-Shopify-Access-Token", value: "{{shopify.access_token}}" },
};

const ORDER = `query Order($query: String!) {
  orders(first: 2, query: $query) {
    nodes {
      id name createdAt cancelledAt displayFinancialStatus displayFulfillmentStatus
      totalPriceSet { presentmentMoney { amount currencyCode } }
      lineItems(first: 20) { nodes { title quantity } }
      fulfillments(first: 5) {
        displayStatus estimatedDeliveryAt deliveredAt
        trackingInfo(first: 2) { company number url }
      }
    }
  }
}`;

const RETURNABLE = `query Returnable($orderId: ID!) {
  returnableFulfillments(orderId: $orderId, first: 5) {
    nodes {
      returnableFulfillmentLineItems(first: 10) {
        nodes {
          quantity
          fulfillmentLineItem {
            id
            lineItem { title suggestedReturnReasonDefinitions(first: 6) { nodes { id name } } }
          }
        }
      }
    }
  }
}`;

const REQUEST_RETURN = `mutation RequestReturn($input: ReturnRequestInput!) {
  returnRequest(input: $input) {
    return { name status }
    userErrors { field message }
  }
}`;

const gid = (kind: string, from: string) =>
  text(`The id returned by ${from}, such as gid://shopify/${kind}/1001`, {
    pattern: `^gid://shopify/${kind}/[0-9]{1,20}$`,
  });

export const commerceTools: CatalogTool[] = [
  {
    name: "look_up_order",
    display_name: "Look up order",
    description:
      "Gets an order of the shop by its number: what was ordered, whether it is paid and sent, when it should arrive, and the tracking link. An empty list means that there is no such order; null means that the shop did not say.",
    category: "ecommerce",
    implementation_type: "http",
    effect: "read",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: shopify.url,
      auth: shopify.auth,
      body: { query: ORDER, variables: { query: 'name:"{order_number}"' } },
      timeout_ms: 5000,
      response: { path: "data.orders.nodes", max_chars: 4000 },
    },
    schema: args({
      order_number: text("Number as on the confirmation, such as 1042", {
        maxLength: 40,
        // Characters that would end a phrase in a search are not allowed.
        pattern: "^#?[A-Za-z0-9][A-Za-z0-9/_.-]*$",
      }),
    }),
    tags: ["orders", "delivery"],
  },
  {
    name: "list_returnable_items",
    display_name: "List returnable items",
    description:
      "Lists the items of an order that can be returned: each item's id, its quantity, and the reasons to choose from. An empty list means that nothing can be returned; null means that the shop did not say.",
    category: "ecommerce",
    implementation_type: "http",
    effect: "read",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: shopify.url,
      auth: shopify.auth,
      body: { query: RETURNABLE, variables: { orderId: "{order_id}" } },
      timeout_ms: 5000,
      response: { path: "data.returnableFulfillments.nodes", max_chars: 6000 },
    },
    schema: args({ order_id: gid("Order", "look_up_order") }),
    tags: ["returns"],
  },
  {
    name: "start_return",
    display_name: "Start return",
    description:
      "Asks the shop to take an item back; the shop approves it and sends the label by email. Returns the return's name to read out, or userErrors that say why it failed.",
    category: "ecommerce",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: shopify.url,
      auth: shopify.auth,
      body: {
        query: REQUEST_RETURN,
        variables: {
          input: {
            orderId: "{order_id}",
            returnLineItems: [
              {
                fulfillmentLineItemId: "{item_id}",
                quantity: "{quantity}",
                returnReasonDefinitionId: "{reason_id}",
                customerNote: "{note}",
              },
            ],
          },
        },
      },
      timeout_ms: 8000,
      response: { path: "data.returnRequest", max_chars: 1000 },
    },
    schema: args(
      {
        order_id: gid("Order", "look_up_order"),
        item_id: gid("FulfillmentLineItem", "list_returnable_items"),
        quantity: whole("How many of the item are returned", 1, 1000),
        reason_id: gid("ReturnReasonDefinition", "list_returnable_items"),
        note: text("What is wrong with it, in the caller's words", { maxLength: 300 }),
      },
      ["note"],
    ),
    tags: ["returns"],
  },
  {
    name: "create_payment_link",
    display_name: "Create payment link",
    description:
      "Creates a Stripe link for one payment and returns its address; it reaches nobody until you send it, for example with send_sms. Card numbers are never taken over the phone.",
    category: "payments",
    implementation_type: "http",
    effect: "write",
    implementation_code: "",
    implementation_config: {
      method: "POST",
      url: "https://api.stripe.com/v1/payment_links",
      headers: { "Stripe-Version": "2025-11-17.clover" },
      auth: { type: "bearer", token: "{{stripe.secret_key}}" },
      form: {
        "line_items[0][price_data][currency]": "{currency}",
        "line_items[0][price_data][unit_amount]": "{amount_cents}",
        "line_items[0][price_data][product_data][name]": "{description}",
        "line_items[0][quantity]": "1",
        "restrictions[completed_sessions][limit]": "1",
      },
      timeout_ms: 8000,
      response: { path: "url", max_chars: 500 },
    },
    schema: args({
      amount_cents: whole("Amount in the smallest unit of the currency: 1990 for 19.90", 1, 99_999_999),
      currency: text("ISO 4217 code in lowercase, such as eur", { pattern: "^[a-z]{3}$" }),
      description: text("What the payment is for, as the payer sees it: “Invoice 2031”", {
        minLength: 1,
        maxLength: 120,
      }),
    }),
    tags: ["payments", "billing"],
  },
];

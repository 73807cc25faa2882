import { z } from "@hono/zod-openapi";

/** The ids in the reference's examples by kind, so that the examples of different fields fit together. */
export const EXAMPLE_IDS = {
  agent: "019aa5c0-1f3e-7a41-8c52-3b7d90e4f101",
  apiKey: "019aa5c0-2b10-7c9e-9a04-5d1f77c2e102",
  backup: "019aa5c8-61d3-7a4e-8b17-e2f05c9d411b",
  budget: "019aa5c1-5a2c-7d13-8e47-c2b9f06d3115",
  call: "019aa5c4-6d02-7f18-b3a7-0c9e4d58a103",
  campaign: "019aa5c2-0e77-70d5-9e41-8a2b6f03c104",
  confirmation: "019aa5c4-0c41-7d38-92f5-b6e01a7d3119",
  contact: "019aa5c2-1144-7b62-8f90-d37e5a19b105",
  conversation: "019aa5c4-7a31-7d0c-a1b6-42f8e90d7106",
  credentials: "019aa5bf-9c08-7e54-8d23-6f01b7a4e107",
  document: "019aa5bf-d8c1-7a36-8e52-90b7f4d2c11e",
  entry: "019aa5c6-50f2-7a3d-b8c1-97e2d40f6108",
  erasure: "019aa5c7-3b1e-7d52-a4f8-90c6e7d12117",
  delivery: "019aa5c4-d4b6-7e20-8a91-c07f3d62e11a",
  event: "019aa5c4-d2f0-7b15-9c3e-6a81f04b7116",
  faq: "019aa5bf-d6e9-7219-9b70-1e5c83fa2109",
  integration: "019aa5bf-e40b-7c86-a5d2-b09f3e71c10a",
  invitation: "019aa5bd-4c27-7f10-8a62-d3e90b75c118",
  operatorToken: "019aa5bc-3e70-7d84-9b12-60c7f5a1d11d",
  number: "019aa5bf-a35d-7b91-8e16-40d7c2f9b10b",
  playbook: "019aa5bf-ce12-74f8-94a3-7d60e1b5a10c",
  prompt: "019aa5c0-1f41-7e03-bd58-f21a96c7410d",
  recording: "019aa5c5-08d4-7f6a-8c3b-5e9d12a7f10e",
  request: "5b0f4c7e-2d91-4a68-9f3c-e17a60b8d10f",
  session: "019aa5c3-2c71-7e08-b4d9-71f0a6c8e117",
  template: "019aa5be-4f60-7d27-a9e8-c35b01f4d110",
  test: "019aa5c0-3d52-7b80-8f16-c4e9a07d511b",
  testRun: "019aa5c4-0f63-7d29-b8e5-71a2c60f311c",
  tool: "019aa5bf-c7a8-7059-8b1f-2f94d6e3c111",
  toolRun: "019aa5c4-9d27-7c4b-8f61-d0b83e5a2115",
  user: "019aa5bd-0b93-76e1-9d4c-a8f257e06112",
  visitor: "0c8d5e3f-71a6-4b29-8e0d-f4b6a92c3113",
  webhook: "019aa5c1-60b4-7f3a-9d05-2e81c6a7f119",
  widgetKey: "019aa5c1-73be-7248-b06f-19c8e5d7a114",
} as const;

/**
 * Returns the schema of a resource's id, a UUIDv7.
 * @param description which resource has the id, and when it is absent
 */
export function idOf(kind: keyof typeof EXAMPLE_IDS, description: string) {
  return z.uuid().toLowerCase().openapi({ description, example: EXAMPLE_IDS[kind] });
}

import { expect, it } from "vitest";
import { operationsOf, reference } from "../kernel/http/reference.ts";
import { broken } from "./chain.ts";

it("the reference's example of a campaign's history is a valid chain", async () => {
  const found = operationsOf(await reference()).find(
    ({ operation }) => operation.operationId === "exportCampaignHistory",
  );
  const example = found?.operation.responses["200"]?.content?.["application/x-ndjson"]?.example;
  expect(broken(String(example))).toBeNull();
  expect(broken(String(example).replace("draft", "running"))).toBe(1);
});

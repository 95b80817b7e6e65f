import { expect, test } from "vitest";
import { operations } from "../../src/contract/contract.js";
import { resourceTypes } from "../../src/features/config/resource-types/index.js";

/** Resource types with a create operation that are not configurable, each with the reason. */
const unmanaged: Readonly<Record<string, string>> = {
  contacts: "data, not configuration: `contacts sync` manages them",
  calls: "a call is an event, not configuration",
  orgs: "owned by a distributor: `orgs provision` creates them from a spec",
  partners: "owned by a distributor: `orgs provision` creates them from a spec",
  customers: "owned by a distributor: `orgs provision` creates them from a spec",
};

test("every resource type with a create operation is configurable or listed as an exception", () => {
  const creatable = Object.keys(operations)
    .filter((name) => name.endsWith(".create"))
    .map((name) => name.slice(0, -".create".length));
  const managed = new Set(
    Object.values(resourceTypes).flatMap(({ item: itemSpec, group }) => [
      itemSpec.resource,
      ...(group ? [group.resource] : []),
    ]),
  );
  expect(creatable.filter((resource) => !managed.has(resource)).sort()).toEqual(
    Object.keys(unmanaged).sort(),
  );
  expect([...managed].filter((resource) => !creatable.includes(resource))).toEqual([]);
});

test("files can contain every field of a create request that voxctl doesn't set itself", () => {
  const own: Readonly<Record<string, readonly string[]>> = {
    groups: ["type"],
    knowledge: ["group_id"],
    forwardings: ["group_id"],
    glossary: ["group_id"],
    pronunciation: ["group_id"],
    // A create without a type creates a webhook, the only type that can be created.
    tools: ["type"],
  };
  for (const { item: itemSpec } of Object.values(resourceTypes)) {
    const body: unknown = operations[`${itemSpec.resource}.create`]?.body;
    const shape =
      typeof body === "object" && body !== null && "shape" in body ? Object.keys(Object(body.shape)) : [];
    const named = new Set(itemSpec.fields.map(({ api }) => api.split(".")[0]));
    expect([itemSpec.resource, shape.filter((field) => !named.has(field))]).toEqual([
      itemSpec.resource,
      own[itemSpec.resource] ?? [],
    ]);
  }
});

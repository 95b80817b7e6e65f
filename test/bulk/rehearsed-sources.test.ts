import { describe, expect, test } from "vitest";
import { withSources } from "../../src/write/plan/rehearsed-sources.js";

const write = (body: unknown, after: unknown = body) => ({
  operation: "tools.update",
  path: "/tools/1",
  body,
  rule: null,
  effect: true,
  createdId: null,
  before: null,
  after,
});
const sources = new Map([
  ["geheim-4711", "env:CRM"],
  ["de", "env:LANGUAGE"],
]);

describe("a rehearsed write", () => {
  test("a rehearsed write contains references to secrets instead of their values", () => {
    const body = { description: "a geheim-4711 b", headers: { "X-Key": "geheim-4711" }, name: "de" };
    expect(withSources(write(body), sources)).toMatchObject({
      body: {
        description: { $text: ["a ", { $secret: "env:CRM" }, " b"] },
        headers: { "X-Key": { $secret: "env:CRM" } },
        name: { $secret: "env:LANGUAGE" },
      },
      after: {},
    });
  });

  test("a short secret is not replaced with a reference inside a longer word", () => {
    const body = { description: "der Kunde", url: "https://x.example.com" };
    expect(withSources(write(body), sources)).toEqual(write(body));
  });
});

// Loaded before every test file. If a test's title contains `[public.limits.1 refuses]`, an emulator must
// refuse a request with that API rule during the test.
import { afterEach, beforeEach, expect } from "vitest";
import { RequestLog } from "../../src/emulator/kernel/request-log.js";
import { catalog } from "../../src/emulator/rules/catalog.js";
import { parseTags } from "../rules/tags.js";

const recorder = Symbol.for("voxctl.refusals");
type Recorded = typeof RequestLog.prototype & { [recorder]?: Set<string> };

function refusals(): Set<string> {
  const log: Recorded = RequestLog.prototype;
  if (log[recorder]) return log[recorder];
  const seen = new Set<string>();
  log[recorder] = seen;
  const { add } = RequestLog.prototype;
  RequestLog.prototype.add = function (this: RequestLog, entry) {
    if (entry.rule !== null) seen.add(entry.rule);
    return add.call(this, entry);
  };
  return seen;
}

/**
 * API rules of the control interface, whose requests are not logged. Their tests check the response header.
 */
const unlogged = new Set(["emulator.control"]);

beforeEach(() => refusals().clear());

afterEach(() => {
  const seen = refusals();
  const untrue = parseTags(expect.getState().currentTestName ?? "")
    .filter(({ rule, kinds: proofTypes }) => proofTypes.includes("refuses") && !unlogged.has(rule))
    .filter(({ rule }) => !catalog.get(rule)?.namedBy.some((named) => seen.has(named)));
  expect(
    untrue,
    "the title claims refusals by these API rules, but no response named them in X-Emulator-Rule",
  ).toEqual([]);
});

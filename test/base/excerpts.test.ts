import { expect, test } from "vitest";
import { excerptDifference } from "../../src/base/excerpts.js";

test("an excerpt of two long texts shows their difference", () => {
  const same = "a".repeat(200);
  expect(excerptDifference("one", "two", 80)).toEqual(["one", "two"]);
  const [left, right] = excerptDifference(`${same}X${same}`, `${same}Y${same}`, 80);
  expect(left).toMatch(/^…a{20}Xa{58}…$/);
  expect(right).toBe(left.replace("X", "Y"));
  expect(excerptDifference(`X${same}`, `Y${same}`, 80)[0]).toBe(`X${"a".repeat(78)}…`);
  const [shorter, longer] = excerptDifference(same, `${same}more`, 80);
  expect([shorter, longer]).toEqual([`…${"a".repeat(20)}`, `…${"a".repeat(20)}more`]);
});

import { expect, test } from "vitest";
import { differingExcerpts } from "../../src/base/excerpts.js";

test("two long texts are cut where they differ, short ones are whole", () => {
  const same = "a".repeat(200);
  expect(differingExcerpts("one", "two", 80)).toEqual(["one", "two"]);
  const [one, other] = differingExcerpts(`${same}X${same}`, `${same}Y${same}`, 80);
  expect(one).toMatch(/^…a{20}Xa{58}…$/);
  expect(other).toBe(one.replace("X", "Y"));
  expect(differingExcerpts(`X${same}`, `Y${same}`, 80)[0]).toBe(`X${"a".repeat(78)}…`);
  const [shorter, longer] = differingExcerpts(same, `${same}more`, 80);
  expect([shorter, longer]).toEqual([`…${"a".repeat(20)}`, `…${"a".repeat(20)}more`]);
});

import type { Row } from "../../base/database.js";
import { parseExactJson, stringifyExactJson } from "../../base/exact-json.js";
import { excerptDifference } from "../../base/excerpts.js";
import { recordOf } from "../values.js";
import { fingerprintOf, isSameValue, resourceOf } from "./canonical.js";
import type { PlanStep } from "./format.js";

/** Conditions about a resource's content. The resource must also exist. */
type Test = Pick<NonNullable<PlanStep["if"]>, "fields" | "same" | "updated_at">;

interface ResourceTest {
  resource: string;
  id: string;
  test: Test;
}

export function* listResourceTests(step: PlanStep): Generator<ResourceTest, void> {
  const { fields, same, updated_at, exists = [] } = step.if ?? {};
  const id = targetOf(step);
  if (id !== undefined && (fields !== undefined || same !== undefined || updated_at !== undefined)) {
    yield {
      resource: resourceOf(step.op),
      id,
      test: {
        ...(fields === undefined ? {} : { fields }),
        ...(same === undefined ? {} : { same }),
        ...(updated_at === undefined ? {} : { updated_at }),
      },
    };
  }
  for (const path of exists) {
    const slash = path.indexOf("/");
    yield { resource: path.slice(0, slash), id: path.slice(slash + 1), test: {} };
  }
}

function targetOf({ path }: Pick<PlanStep, "path">): string | undefined {
  const [id] = Object.values(path ?? {});
  return typeof id === "string" ? id : undefined;
}

export function testOf(row: Row): Test {
  const { fields, same, updated_at } = recordOf(parseExactJson(String(row["test"])));
  return {
    ...(fields === undefined ? {} : { fields: recordOf(fields) }),
    ...(typeof same === "string" ? { same } : {}),
    ...(typeof updated_at === "string" ? { updated_at } : {}),
  };
}

/**
 * Returns undefined if the resource is as expected.
 * @param value the resource; null if it was deleted
 */
export function differenceOf(
  resource: string,
  { fields, same, updated_at }: Test,
  value: unknown,
): string | undefined {
  if (value === null) return "no longer exists with this ID";
  const now = recordOf(value);
  const different = Object.entries(fields ?? {}).filter(
    ([field, expected]) => !isSameValue(now[field], expected),
  );
  if (different.length > 0)
    return different
      .map(([field, expected]) => {
        const texts = excerptDifference(inLine(expected), inLine(now[field]), longestShown);
        return `${field}: expected ${texts[0]}, found ${texts[1]}`;
      })
      .join("; ");
  if (same !== undefined && fingerprintOf(resource, value) !== same)
    return "was changed after it was read for the plan";
  if (updated_at !== undefined && now["updated_at"] !== updated_at)
    return "updated_at: changed after the resource was read for the plan";
  return undefined;
}

const longestShown = 80;

function inLine(value: unknown): string {
  return value === undefined ? "nothing" : stringifyExactJson(value);
}

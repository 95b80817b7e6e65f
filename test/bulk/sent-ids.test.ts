import { expect, test } from "vitest";
import { ExactNumber, parseExactJson } from "../../src/base/exact-json.js";
import { ClientError } from "../../src/client/errors.js";
import { createSentIds } from "../../src/features/provision/subject/sent-ids.js";

const large = "9007199254740993";
const refused = (status: number) =>
  new ClientError({
    type: "api",
    code: "VALIDATION_ERROR",
    message: "",
    status,
    retryable: false,
    outcome: "none",
  });

test("[T9] an ID beyond 2^53 is sent as a number only if the service refuses it as text", () => {
  const ids = createSentIds();
  ids.see({ id: large, sentId: parseExactJson(large) });
  ids.see({ id: "41", sentId: 41 });
  expect([ids.formOf(large), ids.formOf("41"), ids.formOf("new")]).toEqual([large, 41, "new"]);
  // After a 404, voxctl doesn't send the ID as a number: rounding could select another organization.
  expect(ids.isWorthNumber(large, refused(404))).toBe(false);
  expect([ids.isWorthNumber(large, refused(400)), ids.isWorthNumber("41", refused(400))]).toEqual([
    true,
    false,
  ]);
  expect(ids.formOf(large)).toEqual(new ExactNumber(large));
  expect(ids.isWorthNumber(large, refused(400))).toBe(false);
});

import { expect, test } from "vitest";
import { contractCheck } from "../../src/features/import/contract-check.js";

const long = "x".repeat(300);

test("undocumented limits are checked in advance only for an emulator [D-text, D-contact]", async () => {
  const emulator = await contractCheck("contacts.create", "a world");
  const numbers = Array.from({ length: 11 }, (_, index) => `+49301234567${index}`);
  expect(emulator({ first_name: long, phone_numbers: numbers })).toEqual([
    { field: "first_name", value: `${"x".repeat(199)}…`, reason: "must be at most 200 characters" },
    { field: "phone_numbers", value: expect.any(String), reason: "must contain at most 10 numbers" },
  ]);
  expect(emulator({ first_name: "Anna" })).toEqual([]);
  const deployment = await contractCheck("contacts.create", null);
  expect(deployment({ first_name: long, phone_numbers: numbers })).toEqual([]);
});

test("documented limits apply to every service [public.general.8, public.pronunciation.token]", async () => {
  const contacts = await contractCheck("contacts.create", null);
  expect(contacts({ first_name: "Anna", phone_numbers: ["+49301234567", "030"] })).toEqual([
    { field: "phone_numbers", value: "030", reason: expect.stringContaining("+ and 6 to 20 digits") },
  ]);
  const rules = await contractCheck("pronunciation.create", null);
  expect(rules({ token: "zwei Worte" })).toMatchObject([{ field: "token", value: "zwei Worte" }]);
});

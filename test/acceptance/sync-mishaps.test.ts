import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { countWrites, createPeople, formatCsv, type Person, parseError, setUpSync } from "../helpers/sync.js";

const isProof = process.env["PROOF"] !== undefined;
const seed = Number(process.env["PROOF_SEED"] ?? 3);
const offices = Array.from({ length: isProof ? 10 : 1 }, (_, index) => seed * 100 + index);

type Draw = (...names: (string | number)[]) => number;
interface Mishap {
  name: string;
  spoil(people: readonly Person[], draw: Draw): string | Buffer;
  /** Expected error codes; undefined if the sync accepts the damaged file. */
  refusal?: { keyed?: string; unkeyed?: string };
  isHarmless?: true;
}

const umlauts = (people: readonly Person[]) =>
  people.map((person, index) => (index % 3 === 0 ? { ...person, last: `Müller${index}` } : person));

function shuffled<T>(values: readonly T[], draw: Draw): T[] {
  const order = values.map((value, index) => ({ value, at: draw("shuffle", index) }));
  return order.toSorted((left, right) => left.at - right.at).map(({ value }) => value);
}

function withColumn(people: readonly Person[], column: keyof Person, values: readonly string[]): Person[] {
  return people.map((person, index) => ({ ...person, [column]: values[index] ?? "" }));
}

function columnOf(people: readonly Person[], column: keyof Person): string[] {
  return people.map((person) => person[column] ?? "");
}

function rotated(values: readonly string[], by: number): string[] {
  return values.map((_, index) => values[(index + by) % values.length] ?? "");
}

const columns = ["key", "first", "last", "phone", "email"] as const;

const mishaps: readonly Mishap[] = [
  ...columns.flatMap((column): Mishap[] => [
    {
      name: `the column ${column} is shuffled`,
      spoil: (people, draw) =>
        formatCsv(withColumn(people, column, shuffled(columnOf(people, column), draw))),
    },
    {
      name: `the column ${column} is emptied`,
      spoil: (people) => formatCsv(withColumn(people, column, [])),
      ...(column === "key" ? { refusal: { keyed: "too_many_invalid" } } : { isHarmless: true }),
    },
  ]),
  {
    name: "every second cell of a column is emptied",
    spoil: (people) =>
      formatCsv(people.map((person, index) => (index % 2 === 0 ? { ...person, email: "" } : person))),
  },
  {
    name: "headers are above other columns",
    spoil: (people) => formatCsv(people).replace("Vorname;Nachname", "Nachname;Vorname"),
    refusal: { keyed: "too_many_updates", unkeyed: "too_many_updates" },
  },
  {
    name: "UTF-8 is read as Windows-1252 once too often",
    spoil: (people) => Buffer.from(Buffer.from(formatCsv(people), "utf8").toString("latin1"), "utf8"),
  },
  {
    name: "it is of another list",
    spoil: (people) => formatCsv(createPeople(people.length, 900)),
    refusal: { keyed: "file_shrunk", unkeyed: "file_shrunk" },
  },
  {
    name: "keys are renumbered",
    spoil: (people) => formatCsv(withColumn(people, "key", rotated(columnOf(people, "key"), 1))),
    refusal: { keyed: "keys_reassigned" },
  },
  {
    name: "half of it is missing",
    spoil: (people) => formatCsv(people.slice(0, Math.floor(people.length / 2) - 1)),
    refusal: { keyed: "file_shrunk", unkeyed: "file_shrunk" },
  },
  {
    name: "it is cut",
    spoil(people, draw) {
      const whole = formatCsv(people);
      return whole.slice(0, Math.floor(draw("cut") * (whole.length - 1)));
    },
  },
];

const cases = offices.flatMap((office) =>
  mishaps.flatMap((mishap) => [true, false].map((isKeyed) => ({ ...mishap, office, isKeyed }))),
);
const sample = isProof ? cases : cases.filter((_, index) => index % 17 === 0);

test.each(sample)(
  "[S0] [S1] [K5] a sync of a damaged file does no harm: $name (keys: $isKeyed), seed $office",
  async ({ spoil, refusal = {}, isHarmless, office, isKeyed, name }) => {
    const draw: Draw = (...names) => seededDraw(office, name, ...names);
    const size = 20 + Math.floor(draw("size") * 20);
    const people = umlauts(createPeople(size));
    const { syncTo, sync, contacts, emulator, home } = await setUpSync();
    const flags = isKeyed ? ["--key", "Kundennummer"] : [];
    expect((await syncTo(people, ...flags)).code).toBe(0);
    const before = new Map((await contacts()).map((contact) => [contact.id, contact]));
    const writes = await countWrites(emulator);
    writeFileSync(join(home, "kunden.csv"), spoil(people, draw));
    const ran = await sync(...flags, "--delete", "--yes");
    const after = new Map((await contacts()).map((contact) => [contact.id, contact]));

    const expected = isKeyed ? refusal.keyed : refusal.unkeyed;
    if (expected !== undefined) expect([ran.code, parseError(ran.stderr).code]).toEqual([12, expected]);
    if (ran.code === 12 || ran.code === 2) expect(await countWrites(emulator)).toBe(writes);
    const deleted = [...before.keys()].filter((id) => !after.has(id)).length;
    expect(deleted).toBeLessThanOrEqual(Math.max(1, Math.floor(size / 10)));
    const kept = [...before.values()].flatMap((was) => {
      const is = after.get(was.id);
      return is === undefined ? [] : [{ was, is }];
    });
    const valuesOf = ({ first_name, last_name, phone_numbers, emails }: (typeof kept)[number]["was"]) =>
      JSON.stringify([first_name, last_name, phone_numbers, emails]);
    const changed = kept.filter(({ was, is }) => valuesOf(was) !== valuesOf(is));
    expect(changed.length).toBeLessThanOrEqual(Math.floor(size / 2));
    const cleared = changed.filter(
      ({ was, is }) =>
        is.phone_numbers.length < was.phone_numbers.length ||
        is.emails.length < was.emails.length ||
        (is.last_name === "" && was.last_name !== ""),
    );
    expect(cleared.length).toBeLessThanOrEqual(Math.floor(size / 10));
    // Only --clear-empty removes a contact's last number or email.
    for (const { is } of kept) expect([is.phone_numbers.length, is.emails.length]).toEqual([1, 1]);
    if (isHarmless) expect([deleted, changed.length]).toEqual([0, 0]);
  },
  120_000,
);

import { describe, expect, test } from "vitest";
import { planColumns } from "../../src/features/import/contacts/headers.js";
import { englishHeaders } from "../../src/features/import/contacts/headers-english.js";
import { germanHeaders } from "../../src/features/import/contacts/headers-german.js";
import { outlookHeaders } from "../../src/features/import/contacts/headers-outlook.js";

const languages = {
  English: englishHeaders,
  German: germanHeaders,
  "other languages": { programs: outlookHeaders },
};

describe("columns of address books and CRMs", () => {
  test.each(
    Object.entries(languages).flatMap(([language, { programs }]) =>
      programs.map((program) => [program.program, language, program] as const),
    ),
  )("the columns of an export from %s in %s are mapped to contact fields or ignored", (_, __, program) => {
    const { phone_numbers, emails, ignored } = program;
    for (const name of program.first_name) expect(fieldOf(name)).toBe("first_name");
    for (const name of program.last_name) expect(fieldOf(name)).toBe("last_name");
    const names = [...phone_numbers, ...emails, ...ignored];
    const { columns } = planColumns(names);
    expect(columns.phone_numbers.map((index) => names[index])).toEqual(phone_numbers);
    expect(columns.emails.map((index) => names[index])).toEqual(emails);
  });

  test("the list of known columns names a source for each program", () => {
    for (const { programs } of Object.values(languages))
      expect(programs.filter(({ source }) => source === "")).toEqual([]);
  });
});

function fieldOf(name: string): string | undefined {
  return Object.entries(planColumns([name]).columns).find(([, columns]) => columns.length > 0)?.[0];
}

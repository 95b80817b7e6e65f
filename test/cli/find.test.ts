import { describe, expect, test } from "vitest";
import type { Step } from "../../src/write/journal/journal.js";
import { commandLine, connectedTo, scriptPrompts, type TestIo } from "../helpers/cli.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function demo() {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  return { ...shell, emulator, run: (...argv: string[]) => shell.run("--profile", "offline", ...argv) };
}

async function setUpPractice(existingEmulator?: Awaited<ReturnType<typeof openSeededEmulator>>) {
  const emulator = existingEmulator ?? (await openSeededEmulator({ seed: "demo" }));
  const shell = commandLine({ overrides: connectedTo(emulator) });
  await shell.run("profiles", "add", "praxis", "--offline");
  await shell.run("profiles", "set", "praxis", "country=DE");
  return { shell };
}

interface Contact {
  id: string;
  first_name: string;
  last_name: string;
  phone_numbers: string[];
  emails: string[];
}

describe("contacts list --search", () => {
  test("--search finds words of names and emails in any order and case", async () => {
    const { run } = await demo();
    const all: Contact[] = (await run("contacts", "list", "--all")).json;
    const expectedContacts = all.filter(({ last_name }) => last_name === "Schäfer");
    const result = await run("contacts", "list", "--search", "SCHÄFER", "--all");
    expect(result.json).toEqual(expectedContacts);
    expect(result.stderr).toContain(
      `Filtered ${all.length} rows on this machine, because the service does not support this filter`,
    );
    const [firstExpected] = expectedContacts;
    const both = await run(
      "contacts",
      "list",
      "--search",
      `schäfer ${firstExpected?.first_name.toLowerCase()}`,
    );
    expect(both.json.map(({ id }: Contact) => id)).toContain(firstExpected?.id);
    const mail = all.find(({ emails }) => emails.length > 0)?.emails[0] ?? "";
    expect((await run("contacts", "list", "--search", mail)).json).toMatchObject([{ emails: [mail] }]);
  });

  test("`contacts list --search` recognizes a number in any format", async () => {
    const { run } = await demo();
    const ids = async (text: string) =>
      (await run("contacts", "list", "--all", "--search", text)).json.map(({ id }: Contact) => id);
    const matchingIds = await ids("+491713920001");
    expect(matchingIds).toHaveLength(1);
    for (const text of ["0171 3920001", "0049 171 392 0001", "+49 (0)171 3920001"])
      expect(await ids(text)).toEqual(matchingIds);
    expect((await ids("+49171")).length).toBeGreaterThan(10);
    expect(await ids("+4917139200019")).toEqual([]);
  });

  test("`contacts list --search` matches the beginning of words, ignoring diacritics", async () => {
    const { run } = await demo();
    const [{ group_id: group }] = (await run("contacts", "list", "--limit", "1")).json;
    const make = (first: string, last: string) =>
      run("contacts", "create", "--group", group, "--first-name", first, "--last-name", last);
    const names = [
      "Łukasz Nowakxy",
      "Søren Müllerxy",
      "Jörg Großxy",
      "Anne-Marie Muellerxy",
      "Björk Østerxy",
    ];
    for (const name of names) await make(name.split(" ")[0] ?? "", name.split(" ")[1] ?? "");
    const searchNames = async (text: string) =>
      (await run("contacts", "list", "--all", "--search", text)).json.map(
        ({ first_name, last_name }: Contact) => `${first_name} ${last_name}`,
      );
    for (const text of ["lukasz nowakxy", "LUKASZ nowakx", "łukasz nowakxy"])
      expect(await searchNames(text)).toEqual([names[0]]);
    for (const text of ["soren mullerxy", "Søren müllerxy", "Soeren muellerxy"])
      expect(await searchNames(text)).toEqual([names[1]]);
    for (const text of ["grossxy", "GROẞXY", "joerg großxy"])
      expect(await searchNames(text)).toEqual([names[2]]);
    for (const text of ["müllerxy, søren", "Mullerxy,Soeren"])
      expect(await searchNames(text)).toEqual([names[1]]);
    for (const text of ["müllerxy", "muellerxy"])
      expect(await searchNames(text)).toEqual([names[1], names[3]]);
    for (const text of ["marie m", "anne-marie"]) expect(await searchNames(text)).toContain(names[3]);
    expect(await searchNames("osterxy")).toEqual([names[4]]);
    // Text inside a word must not match, because a delete by search could include other contacts.
    for (const text of ["ukasz nowakxy", "owakxy", "llerxy"]) expect(await searchNames(text)).toEqual([]);
    const help = (await run("contacts", "list", "--help")).stdout.replace(/\s+/g, " ");
    expect(help).toContain(
      "finds contacts with a word that starts with the text, such as a name or an email",
    );
  });

  test("--search matches a leading 0 with any country code", async () => {
    const { run } = await demo();
    const searchNumbers = async (text: string): Promise<string[][]> =>
      (await run("contacts", "list", "--all", "--search", text)).json.map(
        ({ phone_numbers }: Contact) => phone_numbers,
      );
    const behindCode = await searchNumbers("0171");
    expect(behindCode.length).toBeGreaterThan(10);
    for (const numbers of behindCode)
      expect(numbers.some((number) => /^\+\d{1,3}171/.test(number))).toBe(true);
    expect(await searchNumbers("0392")).toEqual([]);
    expect((await searchNumbers("392")).length).toBeGreaterThan(10);
  });

  test("--limit limits the matches of --search, not the rows that are read", async () => {
    const { run } = await demo();
    const result = await run("contacts", "list", "--search", "+49", "--limit", "2");
    expect(result.json).toHaveLength(2);
    expect(result.stderr).toContain("Showing the first 2 matches. For more, use --limit or --all.");
    expect((await run("contacts", "list", "--search", " ")).code).toBe(2);
  });
});

describe("contacts get", () => {
  test("`contacts get` accepts a name, number or email if exactly one contact has it", async () => {
    const { run } = await demo();
    const [{ id, emails }]: [Contact] = (await run("contacts", "list", "--search", "Ulrike Schäfer 58")).json;
    for (const reference of [emails[0] ?? "", "+49 171 3920058", id])
      expect((await run("contacts", "get", reference)).json.id).toBe(id);
    const several = await run("contacts", "get", "ulrike schäfer");
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining("use one of these IDs")]);
    expect(several.stderr).toContain(`${id} (Ulrike Schäfer`);
    for (const text of ["Ulrike", "+49171392005", "nobody@example.org"])
      expect((await run("contacts", "get", text)).code).toBe(4);
  });
});

describe("a contact by number, name or email", () => {
  test("`contacts get` finds a national number if the profile has a country", async () => {
    const { run, emulator } = await demo();
    const without = await run("contacts", "get", "0171 3920001");
    expect([without.code, without.stderr]).toEqual([
      4,
      expect.stringContaining("profiles set NAME country=DE"),
    ]);
    expect(without.stderr).toContain("did you mean +491713920001?");
    const { shell } = await setUpPractice(emulator);
    const got = await shell.run("contacts", "get", "0171 3920001", "--profile", "praxis");
    expect(got.code, got.stderr).toBe(0);
    expect(got.json.phone_numbers).toEqual(["+491713920001"]);
  });

  test("for an unknown number, `contacts get` does not suggest a similar number", async () => {
    const { run } = await demo();
    for (const number of ["+491713920999", "+49 171 39200"]) {
      const { code, stderr } = await run("contacts", "get", number);
      expect([code, stderr]).toEqual([4, expect.stringContaining("to search, run")]);
      expect(stderr).not.toMatch(/did you mean|\+4917139200\d\d[?,]/);
    }
  });

  test("`contacts get` accepts a contact's number with spaces or in national format", async () => {
    const { shell } = await setUpPractice();
    const create = (...numbers: string[]) =>
      shell.run(
        ...["contacts", "create", "--group", "Patienten", "--first-name", "A", "--profile", "praxis"],
        ...["--dry-run", ...numbers.flatMap((number) => ["--phone-number", number])],
      );
    const spaced = await create("+49 (0)171 9999999", "+4917199999990");
    expect(spaced.json[0].body.phone_numbers).toEqual(["+491719999999", "+4917199999990"]);
    expect(spaced.stderr).not.toContain("Reading");
    const national = await create("0171 9999999");
    expect(national.json[0].body.phone_numbers).toEqual(["+491719999999"]);
    expect(national.stderr).toContain(
      'Reading --phone-number 0171 9999999 as +491719999999 (country of profile "praxis": DE)',
    );
    for (const unclear of ["491719999999", "+49 171 9999999; +49 171 9999998", "+49 171 9999999 (Büro)"]) {
      const { code, stderr } = await create(unclear);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/--phone-number.*(?:must be|expected)/)]);
    }
    const lost = "begins with 49 instead of +49 or 0: write +491719999999, or 0491719999999";
    const result = await shell.run("contacts", "get", "491719999999", "--profile", "praxis");
    for (const { stderr } of [await create("491719999999"), result]) {
      expect(stderr).toContain(lost);
      expect(stderr).not.toContain("--trust-calling-code");
    }
    const without = await shell.run(
      ...["contacts", "update", "+49 171 3920001", "--phone-number", "0171 9999999", "--profile", "offline"],
    );
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining("expected a number such as +4915112345678"),
    ]);
    expect(without.stderr).toContain("voxctl profiles set offline country=DE");
    const fromEnvironment = await shell.runWith(
      { env: { VOXCTL_BASE_URL: "https://voice.example/api/v1", VOXCTL_API_KEY: "x".repeat(20) } },
      ...["contacts", "create", "--first-name", "Anna", "--phone-number", "0171 9999999"],
      ...["--group", "0".repeat(24)],
    );
    expect([fromEnvironment.code, fromEnvironment.stderr]).toEqual([
      2,
      expect.stringContaining("hint: add the country code, such as +49 for Germany"),
    ]);
    const updated = await shell.run(
      ...["contacts", "update", "0171 3920001", "--phone-number", "0171 9999999", "--profile", "praxis"],
    );
    expect(updated.json.phone_numbers).toEqual(["+491719999999"]);
  });

  test.each([
    ["a zero-width space", "Z\u200bwilling"],
    ["a soft hyphen", "Zwil\u00adling"],
    ["two spaces", " Zwilling"],
  ])("two contacts whose names differ only by %s are ambiguous", async (_, last) => {
    const { run } = await demo();
    for (const [first, name] of [
      ["Dual ", last],
      ["Dual", "Zwilling"],
    ])
      await run(
        "contacts",
        "create",
        ...["--first-name", first ?? "", "--last-name", name ?? "", "--group", "Patienten"],
      );
    const refused = await run("contacts", "delete", "Dual Zwilling", "--yes");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("use one of these IDs")]);
    expect((await run("contacts", "list", "--search", "zwilling dual")).json).toHaveLength(2);
    expect((await run("contacts", "get", "\u200b")).code).toBe(4);
  });

  test("a name is ambiguous if two contacts' names differ only in Unicode composition", async () => {
    const { run } = await demo();
    const ids: string[] = [];
    for (const first of ["Jörg", "Jörg".normalize("NFD")]) {
      const given = ["--first-name", first, "--last-name", "Zwilling", "--group", "Patienten"];
      ids.push((await run("contacts", "create", ...given)).json.id);
    }
    for (const argv of [["get"], ["update", "--last-name", "x"], ["delete", "--yes"]]) {
      const refused = await run("contacts", argv[0] ?? "", "Jörg Zwilling", ...argv.slice(1));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("use one of these IDs")]);
    }
    for (const id of ids) expect((await run("contacts", "get", id)).code).toBe(0);
  });

  test("a prompt for a phone number accepts the same formats as the flag", async () => {
    const demoEmulator = await openSeededEmulator({ seed: "demo" });
    const { shell } = await setUpPractice(demoEmulator);
    const prompts = scriptPrompts(
      "Patienten",
      "Anna",
      "phone-number",
      "0171 9999999, +49 171 9999998",
      "no, finish",
      true,
    );
    const { text } = prompts;
    const judged: unknown[] = [];
    const asking = {
      ...prompts,
      text: async (question: Parameters<typeof text>[0]) => {
        const typed = await text(question);
        judged.push(await question.validate?.(typed), await question.validate?.("0171"));
        return typed;
      },
    };
    const overrides = { ...connectedTo(demoEmulator), prompts: asking };
    const ran = await shell.runWith({ overrides }, "contacts", "create", "--dry-run", "--profile", "praxis");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json[0].body.phone_numbers).toEqual(["+491719999999", "+491719999998"]);
    expect(judged.slice(-2)).toEqual([
      true,
      expect.stringContaining("expected a number such as +4915112345678"),
    ]);
  });

  test("`update` and `delete` find a contact by number, name or email if exactly one matches", async () => {
    const { run } = await demo();
    const { json: contact } = await run("contacts", "get", "+491713920001");
    const name = `${contact.first_name} ${contact.last_name}`;
    const updated = await run("contacts", "update", "+49 171 3920001", "--last-name", "Neumann-Xy");
    expect(updated.json).toMatchObject({ id: contact.id, last_name: "Neumann-Xy" });
    expect((await run("contacts", "update", name, "--last-name", "x")).code).toBe(4);
    const several = await run("contacts", "delete", "ulrike schäfer", "--yes");
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining("use one of these IDs")]);
    const unasked = await run("contacts", "delete", `${contact.first_name} Neumann-Xy`);
    expect([unasked.code, unasked.stderr]).toEqual([
      12,
      "error: confirmation required, but stdin is not a terminal\nhint: use --yes to confirm; this can't be undone\n",
    ]);
    const gone = await run("contacts", "delete", `${contact.first_name} NEUMANN-XY`, "--yes");
    expect(gone.json).toEqual({ id: contact.id, deleted: true });
    expect(gone.stderr).toContain(
      `Found contact ${contact.first_name} Neumann-Xy +491713920001 (${contact.id})`,
    );
  });

  test("`contacts delete` with a number asks for confirmation and shows the contact", async () => {
    const { runWith, emulator } = await demo();
    const prompts = scriptPrompts(false);
    const overrides = { ...connectedTo(emulator), prompts };
    const declined = await runWith(
      { overrides },
      "--profile",
      "offline",
      "contacts",
      "delete",
      "+491713920001",
    );
    expect(declined.code).toBe(12);
    expect(prompts.messages).toEqual([
      expect.stringMatching(
        /^Delete contact \S+ .*\+491713920001.* \([a-f0-9]{24}\)\? This can't be undone\.$/,
      ),
    ]);
  });
});

test("an assistant is found by its phone number, with or without spaces", async () => {
  const { run } = await demo();
  const [assistant] = (await run("assistants", "list")).json;
  const spaced = `${assistant.phone_number.slice(0, 3)} ${assistant.phone_number.slice(3)}`;
  for (const number of [assistant.phone_number, spaced])
    expect((await run("assistants", "get", number)).json.id).toBe(assistant.id);
  const notFound = await run("assistants", "get", "+493222100999");
  expect([notFound.code, notFound.stderr]).toEqual([4, expect.not.stringContaining("did you mean")]);
});

describe("calls list", () => {
  test("`calls list` refuses an unknown direction", async () => {
    const { run } = await demo();
    const ran = await run("calls", "list", "--direction", "in");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("expected inbound or outbound")]);
    expect((await run("calls", "list", "--help")).stdout.replace(/\s+/g, " ")).toContain(
      "one of completed, no_answer, busy, failed",
    );
  });

  test.each([
    ["calls", "list", "--status", ","],
    ["calls", "list", "--direction", " , "],
    ["lint", "--only", ","],
    ["contacts", "import", "x.csv", "--group", "Kunden", "--match", ","],
    ["mirror", "create", "x.db", "--include", ","],
  ])("the command `%s %s …` refuses an empty value in a list and names the flag", async (...line) => {
    const { run } = await demo();
    const ran = await run(...line);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`error: invalid ${line.at(-2)} "`)]);
    expect(ran.stderr).toContain("expected values separated by commas");
  });

  test("if no call has the requested --status, `calls list` shows the existing statuses", async () => {
    const { run } = await demo();
    const ran = await run("calls", "list", "--status", "missed", "--all");
    expect(ran.json).toEqual([]);
    expect(ran.stderr).toContain("--status: these calls have the values busy, completed, failed, no_answer");
    const typo = await run("calls", "list", "--status", "busy,No-Answer,faild", "--all");
    expect([typo.code, typo.json.length > 0]).toEqual([0, true]);
    expect(typo.stderr).toMatch(/warning: --status: none of \d+ rows has "faild"; did you mean failed\?\n/);
    expect(typo.stderr).not.toContain('"No-Answer"');
    const result = await run("calls", "list", "--status", "busy", "--all");
    expect(result.stderr).not.toContain("these calls have the values");
  });

  interface Call {
    id: string;
    status: string;
    direction: string;
    from: string;
    to: string;
    duration_seconds: number | null;
  }
  test.each([
    [["--status", "COMPLETED"], (call: Call) => call.status === "completed"],
    [["--status", "failed,no-answer"], (call: Call) => ["failed", "no_answer"].includes(call.status)],
    [["--direction", "outbound"], (call: Call) => call.direction === "outbound"],
    [["--from-number", "+49171"], (call: Call) => call.from.startsWith("+49171")],
    [["--to-number", "+4930"], (call: Call) => call.to.startsWith("+4930")],
    [["--min-length", "2m"], (call: Call) => (call.duration_seconds ?? 0) >= 120],
    [
      ["--status", "completed", "--direction", "inbound", "--min-length", "90s"],
      (call: Call) =>
        call.status === "completed" && call.direction === "inbound" && (call.duration_seconds ?? 0) >= 90,
    ],
  ] as const)("`calls list` %j shows the matching calls and no others", async (flags, isExpected) => {
    const { run } = await demo();
    const all: Call[] = (await run("calls", "list", "--all")).json;
    const result = await run("calls", "list", "--all", ...flags);
    expect(result.json).toEqual(all.filter(isExpected));
    expect(result.json.length).toBeLessThan(all.length);
    expect(result.stderr).toContain(`Filtered ${all.length} rows`);
  });

  test("[T10] `calls list` skips calls without the requested field and counts them", async () => {
    const { runWith, emulator } = await demo();
    const overrides = reshapeResponses(emulator, (_, { body }) => ({
      body: { ...body, data: body.data.map(({ duration_seconds: _length, ...call }: Call) => call) },
    }));
    const result = await runWith({ overrides }, "calls", "list", "--all", "--min-length", "1s");
    expect(result.json).toEqual([]);
    const [, read] = /Filtered (\d+) rows/.exec(result.stderr) ?? [];
    expect(Number(read)).toBeGreaterThan(0);
    expect(result.stderr).toContain(`skipped ${read} calls without the field that the filter compares`);
  });

  test("`calls list` refuses an invalid phone number before any request", async () => {
    const { run, emulator } = await demo();
    expect((await run("calls", "list", "--from-number", "Empfang")).code).toBe(2);
    expect(await emulator.control("GET", "/requests")).toEqual([]);
  });
});

describe("`contacts list --search` with a number that starts with zero", () => {
  test.each([
    ["DE", "030 5555", "+49305555000"],
    ["AT", "(030) 5555", "+43305555000"],
    // In Italy, the leading zero is part of the number.
    ["IT", "030 5555", "+390305555000"],
  ])("with country %s, a search for %s finds only the number %s", async (country, typed, number) => {
    const { shell } = await setUpPractice();
    await shell.run("profiles", "set", "praxis", `country=${country}`);
    const run = (...argv: string[]) => shell.run("--profile", "praxis", ...argv);
    await run("groups", "create", "--type", "contacts", "--name", "S");
    for (const phoneNumber of ["+13055550001", "+49305555000", "+43305555000", "+390305555000"])
      await run("contacts", "create", "--group", "S", "--first-name", "A", "--phone-number", phoneNumber);
    const argv = ["--group", "S", "--search", typed];
    const listed = await run("contacts", "list", ...argv);
    expect(listed.json.map((contact: Contact) => contact.phone_numbers)).toEqual([[number]]);
    const deleted = await run("contacts", "delete", ...argv, "--max-delete", "50%", "--yes");
    expect([deleted.code, deleted.json.deleted], deleted.stderr).toEqual([0, 1]);
    expect(deleted.stderr).toContain(`(country of profile "praxis": ${country})`);
    const remaining = await run("contacts", "list", "--all", "--group", "S");
    expect(remaining.json).toHaveLength(3);
    expect(remaining.json.map((contact: Contact) => contact.phone_numbers)).not.toContainEqual([number]);
  });
});

describe("contacts delete --search", () => {
  test("after an interruption, `contacts delete --search` reports the run to resume", async () => {
    const { runWith, run, emulator } = await demo();
    const argv = ["contacts", "delete", "--search", "+49", "--max-delete", "100%", "--yes"];
    const cutAt = async (step: Step) => {
      let io: TestIo | undefined;
      const overrides = {
        ...connectedTo(emulator),
        onJournalStep: (now: Step) => {
          if (now === step) io?.signal("SIGINT");
        },
      };
      const before = (given: TestIo) => {
        io = given;
      };
      return runWith({ overrides, before }, "--profile", "offline", ...argv);
    };
    const cut = await cutAt("recording");
    expect(cut.code).toBe(130);
    const [, id = ""] = /to resume, run `voxctl runs resume ([0-9a-f]{12})`/.exec(cut.stderr) ?? [];
    const resumed = await run("runs", "resume", id);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect((await run("contacts", "list", "--search", "+49", "--all")).json).toEqual([]);
  });

  test("`contacts delete --search` reports that no contact matches", async () => {
    const { run } = await demo();
    const ran = await run("contacts", "delete", "--search", "nobodyx", "--yes");
    expect([ran.code, ran.json.found]).toEqual([0, 0]);
    expect(ran.stderr).toContain('no contact matches "nobodyx"');
  });

  test("`contacts delete --search` lists contacts without deleting them if too many match", async () => {
    const { run } = await demo();
    const refused = await run("contacts", "delete", "--search", "+49", "--max-delete", "1", "--dry-run");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringMatching(/^- .*\+49/m)]);
  });

  test("`contacts delete --search` deletes the matching contacts in a run that can be undone", async () => {
    const { run } = await demo();
    const before: Contact[] = (await run("contacts", "list", "--all")).json;
    const selected = before.filter(({ last_name }) => last_name === "Schäfer");
    const dry = await run("contacts", "delete", "--search", "schäfer", "--dry-run", "--max-delete", "50%");
    expect(dry.json).toMatchObject({ found: selected.length, deleted: 0, run_id: null });
    const again = await run("contacts", "delete", "--search", "schäfer", "--dry-run", "--max-delete", "50%");
    expect(again.json.report).not.toBe(dry.json.report);
    expect((await run("contacts", "list", "--all")).json).toHaveLength(before.length);
    const done = await run("contacts", "delete", "--search", "schäfer", "--max-delete", "50%", "--yes");
    expect(done.code, done.stderr).toBe(0);
    expect(done.json).toMatchObject({
      contacts: before.length,
      found: selected.length,
      deleted: selected.length,
    });
    const after: Contact[] = (await run("contacts", "list", "--all")).json;
    expect(after).toHaveLength(before.length - selected.length);
    const undone = await run("runs", "undo", done.json.run_id, "--yes");
    expect(undone.code).toBe(0);
    expect((await run("contacts", "list", "--all")).json).toHaveLength(before.length);
    expect(undone.stderr).toContain(
      "To check for duplicates, run `voxctl contacts dedupe --check --profile offline`",
    );
    expect((await run("contacts", "dedupe", "--check")).code).toBe(0);
  });

  test("[T1] `contacts delete --search` deletes contacts even if the list omits some fields", async () => {
    const { emulator, runWith } = await demo();
    const overrides = reshapeResponses(emulator, ({ method, path }, { body }) => {
      if (method !== "GET" || !/\/contacts\/[a-f0-9]{24}$/.test(path)) return undefined;
      return { body: { data: { ...body.data, notes: "calls in the morning" } } };
    });
    const argv = ["contacts", "delete", "--search", "schäfer", "--max-delete", "50%", "--yes"];
    const done = await runWith({ overrides }, "--profile", "offline", ...argv);
    expect(done.code, done.stderr).toBe(0);
    expect(done.json).toMatchObject({ deleted: done.json.found, drifted: 0 });
  });

  test("`contacts delete --search` asks for confirmation and respects --max-delete", async () => {
    const { run } = await demo();
    const many = await run("contacts", "delete", "--search", "+49", "--yes");
    expect([many.code, many.stderr]).toEqual([12, expect.stringContaining("--max-delete")]);
    const unasked = await run("contacts", "delete", "--search", "schäfer");
    expect([unasked.code, unasked.stderr]).toEqual([12, expect.stringContaining("use --yes to confirm")]);
    // There is no warning, because an undo recreates the contacts.
    expect(unasked.stderr).not.toContain("can't be undone");
    const before = (await run("contacts", "list", "--all")).json.length;
    const sealed = await run(
      ...["contacts", "delete", "--search", "schäfer", "--max-delete", "50%", "--plan", "gone.plan"],
    );
    expect(sealed.code, sealed.stderr).toBe(0);
    expect((await run("contacts", "list", "--all")).json).toHaveLength(before);
    const applied = await run("apply", "gone.plan", "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    expect((await run("contacts", "list", "--all")).json).toHaveLength(before - sealed.json.found);
  });

  test("`contacts delete` with an ID refuses --search and --max-delete", async () => {
    const { run } = await demo();
    const [{ id }] = (await run("contacts", "list", "--limit", "1")).json;
    expect((await run("contacts", "delete", id, "--dry-run")).json).toEqual([
      { method: "DELETE", path: `/contacts/${id}` },
    ]);
    for (const argv of [[], [id, "--search", "x"], [id, "--max-delete", "3"], ["--search", ""]])
      expect((await run("contacts", "delete", ...argv, "--yes")).code).toBe(2);
    expect((await run("contacts", "delete", id, "--yes")).json).toEqual({ id, deleted: true });
  });
});

import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";

const suite = `
defaults: { assistant: Termine, to: "+4915112345678" }
scenarios:
  - name: reminds
    tags: [smoke]
    expect: { transcript: { contains: [Freitag] } }
    facts: { day: FREITAG, time: "9", price: '/[0-9]+,[0-9]+ euro/' }
    offline:
      duration: 45s
      transcript: [{ assistant: "Freitag, 3. August um 9 Uhr, 49,90 Euro, 030 1234567." }, { user: Ja }]
      analyses: { goal_reached: "yes" }
  - name: refuses
    to: "+4915112345679"
    expect: { transcript: { contains: [Nein] } }
    offline: { duration: 45s, transcript: [{ user: Ja }] }
`;

function suites(text = suite) {
  const shell = commandLine();
  const write = (name: string, content: string) => writeFileSync(join(shell.home, name), content);
  write("suite.yaml", text);
  const runSuite = (...flags: string[]) =>
    shell.run("calls", "test", "suite.yaml", "--offline", "-o", "json", ...flags);
  return { ...shell, write, runSuite, read: (name: string) => readFileSync(join(shell.home, name), "utf8") };
}

const names = (rows: { scenario: string }[]) => rows.map(({ scenario }) => scenario);

describe("selecting scenarios of a suite", () => {
  test("--only and --tag select scenarios of a suite", async () => {
    const { runSuite } = suites();
    expect(names((await runSuite("--only", "REMIND")).json)).toEqual(["reminds"]);
    expect(names((await runSuite("--tag", "smoke")).json)).toEqual(["reminds"]);
    const wrong = await runSuite("--only", "remnids");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("available: reminds, refuses")]);
    expect((await runSuite("--tag", "smok")).stderr).toContain("did you mean smoke?");
    expect((await runSuite("--tag", "smoke", "--only", "refuses")).code).toBe(2);
  });

  test("`calls test` warns about an unknown status only if it resembles a known one", async () => {
    const { runSuite } = suites(
      suite.replaceAll("expect: {", "expect: { status: [compleded, Completed, parked],"),
    );
    const { stderr } = await runSuite("--tag", "smoke");
    expect(stderr).toContain(
      'warning: "reminds": expect.status: "compleded" is not a known final status; did you mean completed?',
    );
    expect(stderr).not.toContain('"parked"');
    expect(stderr).not.toContain('"Completed"');
  });

  test("--matrix runs each scenario with each assistant", async () => {
    const { runSuite } = suites();
    const { json } = await runSuite("--tag", "smoke", "--matrix", "assistants=A, B,A");
    expect(json.map(({ scenario, assistant }: Record<string, string>) => [scenario, assistant])).toEqual([
      ["reminds [A]", "A"],
      ["reminds [B]", "B"],
    ]);
    expect((await runSuite("--matrix", "voices=A")).code).toBe(2);
  });

  test("--matrix warns about assistants that no scenario uses", async () => {
    const { runSuite } = suites();
    const ran = await runSuite("--tag", "smoke", "--matrix", "assistants=Termine,Terminne");
    expect(ran.stderr).toContain('warning: --matrix: "Terminne" is not used in any scenario');
    expect(ran.stderr).toContain("did you mean Termine?");
    expect((await runSuite("--matrix", "assistants=Termine")).stderr).not.toContain(
      "not used in any scenario",
    );
  });

  test("`calls test` refuses a quarantine without a valid end date", async () => {
    const { runSuite, write } = suites();
    const ran = await runSuite("--record", "nowhere/a.json");
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("--record: nowhere/a.json can't be written");
    write("q.yaml", "quarantine: [{ scenario: refuses }]");
    const endless = await runSuite("--quarantine", "q.yaml");
    write("german.yaml", 'quarantine: [{ scenario: refuses, until: "24.12.2026" }]');
    expect((await runSuite("--quarantine", "german.yaml")).stderr).toContain(
      "until: must be a date such as 2026-12-31",
    );
    expect([endless.code, endless.stderr]).toEqual([
      2,
      expect.stringContaining("quarantine.0.until: is required"),
    ]);
  });

  test("--max-calls and --max-minutes also apply to `calls test --offline`", async () => {
    const { runSuite, write } = suites();
    const calls = await runSuite("--max-calls", "1");
    expect([calls.code, calls.stderr]).toEqual([12, expect.stringContaining("use --max-calls 2")]);
    const minutes = await runSuite("--max-minutes", "1");
    expect([minutes.code, minutes.stderr]).toEqual([12, expect.stringContaining("--max-minutes 2")]);
    write("suite.yaml", suite.replace("expect: { ", "expect: { duration: { at_most: 170s }, "));
    expect((await runSuite("--max-minutes", "3")).stderr).toContain("use --max-minutes 4");
    write("suite.yaml", suite);
    expect(
      (
        await runSuite(
          "--tag",
          "smoke",
          "--matrix",
          `assistants=${"abcdefghijklmnopqrstuvw".split("").join(",")}`,
        )
      ).json,
    ).toHaveLength(23);
  });
});

describe("scenarios with several calls", () => {
  test("a repeated scenario passes if the required number of its calls pass", async () => {
    const repeated = suite.replace("tags: [smoke]", "pass: 2/3");
    const { runSuite } = suites(repeated);
    const ran = await runSuite("--only", "reminds");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json).toMatchObject([
      { scenario: "reminds", result: "passed", attempts: { passed: 3, made: 3, needed: 2 } },
    ]);
    expect(ran.stderr).toContain("3 calls with 1 assistant");
    const failing = await suites(suite.replace("name: refuses", "name: refuses\n    repeat: 2")).runSuite();
    expect(failing.code).toBe(11);
    expect(failing.json[1]).toMatchObject({ result: "failed", attempts: { passed: 0, made: 2, needed: 2 } });
    const wrong = await suites(suite.replace("tags: [smoke]", "repeat: 2\n    pass: 2/3")).runSuite();
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("expects 3 calls, but repeat is 2"),
    ]);
  });

  test("--retries repeats only failed calls", async () => {
    const { runSuite } = suites();
    const ran = await runSuite("--retries", "2");
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Retrying 1 call (retry 2 of 2)");
    expect(ran.stderr).toContain("Retries can raise this to 6 calls and ");
    expect(ran.json).toMatchObject([
      { result: "passed", retries: 0 },
      { result: "failed", retries: 2 },
    ]);
  });

  test("the text output and the JUnit file show the number of the retry for each result", async () => {
    const { run, read } = suites();
    const flags = ["--only", "refuses", "--retries", "1", "--junit", "results.xml"];
    const { stdout } = await run("calls", "test", "suite.yaml", "--offline", ...flags);
    expect(stdout.match(/^✗ failed.*$/gm)).toEqual([
      "✗ failed   refuses  0:45",
      "✗ failed   refuses (retry 1)  0:45",
    ]);
    expect(read("results.xml")).toContain('type="expectation">Result of retry 1\n');
    // Two calls of 45 s each.
    expect(Number(/name="refuses"[^>]* time="([\d.]+)"/.exec(read("results.xml"))?.[1])).toBeGreaterThan(90);
  });

  test("--retries repeats calls that differ from the baseline", async () => {
    const { runSuite, write } = suites();
    await runSuite("--tag", "smoke", "--record", "a.json");
    write("suite.yaml", suite.replace("49,90", "59,90"));
    const ran = await runSuite("--tag", "smoke", "--baseline", "a.json", "--retries", "2");
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Retrying 1 call (retry 2 of 2)");
    expect(ran.json).toMatchObject([{ result: "differs", retries: 2 }]);
  });

  test("the estimate of call minutes ignores the durations of a suite's offline outcomes", async () => {
    const longer = suite.replace("duration: 45s", "duration: 170s");
    const { run } = suites(longer.replaceAll("assistant: Termine", "assistant: Empfang"));
    const { stderr } = await run("calls", "test", "suite.yaml", "--profile", "offline", "--dry-run");
    expect(stderr).toContain("use about 2 call minutes. Each call's minutes are estimated");
  });

  test("calls are refused if they and their retries would exceed --max-calls or --max-minutes", async () => {
    const { run } = suites();
    const real = (...flags: string[]) =>
      run("calls", "test", "suite.yaml", "--profile", "offline", "--retries", "2", ...flags);
    const calls = await real("--max-calls", "5");
    expect([calls.code, calls.stderr]).toEqual([12, expect.stringContaining("up to 6 calls")]);
    const minutes = await real("--max-minutes", "5");
    expect([minutes.code, minutes.stderr]).toEqual([12, expect.stringContaining("up to 6 call minutes")]);
  });
});

describe("a suite compared with a baseline", () => {
  test("a scenario that failed in the baseline but passes now causes only a warning", async () => {
    const { run, runSuite, write } = suites();
    write("suite.yaml", suite.replace("expect: { ", "expect: { status: [busy], "));
    expect((await runSuite("--tag", "smoke", "--record", "a.json")).code).toBe(11);
    write("suite.yaml", suite);
    const mended = await runSuite("--tag", "smoke", "--baseline", "a.json", "--record", "b.json");
    expect(mended.code, mended.stderr).toBe(0);
    const compared = await run("calls", "compare", "a.json", "b.json", "-o", "json");
    expect(compared.json).toMatchObject([
      { field: "result", before: "failed", after: "passed", kind: "warning" },
    ]);
    expect([compared.code, compared.stderr]).toEqual([0, "No differences, 1 warning.\n"]);
    const worse = await run("calls", "compare", "b.json", "a.json", "-o", "json");
    expect(worse.json).toMatchObject([{ field: "result", kind: "difference" }]);
  });

  test("a refused --record is reported in the JUnit file", async () => {
    const { runSuite, write, read } = suites();
    expect((await runSuite("--tag", "smoke", "--junit", "results.xml")).code).toBe(0);
    write("other.yaml", suite);
    expect((await runSuite("--record", "other.yaml", "--junit", "results.xml")).code).toBe(12);
    expect(read("results.xml")).toContain('errors="1"');
  });

  test("--record reports the file that it saved", async () => {
    const { runSuite } = suites();
    const { stderr } = await runSuite("--tag", "smoke", "--record", "a.json");
    expect(stderr).toContain("Saved the results to a.json.\n");
  });

  test("a suite whose results equal the baseline passes without differences", async () => {
    const { runSuite, run } = suites();
    await runSuite("--tag", "smoke", "--record", "a.json");
    const again = await runSuite("--tag", "smoke", "--baseline", "a.json", "--record", "b.json");
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain("passed; no differences from a.json");
    const compared = await run("calls", "compare", "a.json", "b.json", "-o", "json");
    expect([compared.code, compared.json]).toEqual([0, []]);
  });

  test("a call fails if its facts, numbers, status or analysis differ from the baseline", async () => {
    const { runSuite, run, write, read } = suites();
    await runSuite("--tag", "smoke", "--record", "a.json");
    expect(JSON.parse(read("a.json")).scenarios[0]).toMatchObject({
      facts: { day: "freitag", time: "9", price: "49,90 euro" },
      spoken_numbers: ["3", "9", "030", "49,90", "1234567"],
    });
    write("suite.yaml", suite.replace("49,90", "59,90").replace('"yes"', '"no"').replace("45s", "3m"));
    const ran = await runSuite("--tag", "smoke", "--baseline", "a.json", "--record", "b.json");
    expect(ran.code).toBe(11);
    const fields = ran.json[0].expectations.flatMap(({ met, field }: { met: boolean; field: string }) =>
      met ? [] : [field],
    );
    expect(fields).toEqual([
      "baseline.analyses.goal_reached",
      "baseline.facts.price",
      "baseline.spoken_numbers",
    ]);
    expect(ran.stderr).toContain("duration changed from 45 s to 180 s");
    // A result is printed when its call ends, before the comparison with the baseline.
    const shown = await run(
      "calls",
      "test",
      "suite.yaml",
      "--offline",
      "--tag",
      "smoke",
      "--baseline",
      "a.json",
      "-o",
      "table",
    );
    expect(shown.stdout).toMatch(/^✗ differs/);
    expect(shown.stderr).toContain("1 of 1 scenario differs from the baseline");
    expect(shown.stdout).toContain("baseline.facts.price");
    expect(shown.stderr).not.toContain("facts.price");
    const compared = await run("calls", "compare", "a.json", "b.json", "-o", "json");
    expect(compared.code).toBe(10);
    expect(compared.stderr).toContain("3 differences, 1 warning between a.json and b.json");
    expect(compared.json.map(({ field, kind }: Record<string, string>) => [field, kind])).toEqual([
      ["analyses.goal_reached", "difference"],
      ["facts.price", "difference"],
      ["spoken_numbers", "difference"],
      ["duration", "warning"],
    ]);
  });

  test("the JUnit file distinguishes baseline differences from unmet expectations", async () => {
    const { runSuite, write, read } = suites();
    await runSuite("--record", "a.json");
    write("suite.yaml", suite.replace("49,90", "59,90"));
    await runSuite("--baseline", "a.json", "--junit", "results.xml");
    const types = [...read("results.xml").matchAll(/<failure [^>]* type="(\w+)"/g)].map(([, type]) => type);
    expect(types).toEqual(["difference", "expectation"]);
  });

  test("`calls test` shows each baseline difference of a failed call only once", async () => {
    const { run, runSuite, write } = suites();
    await runSuite("--record", "a.json");
    write("suite.yaml", suite.replace("[{ user: Ja }]", "[{ user: Ja }, { assistant: Um 9 Uhr }]"));
    const compared = await run(
      ...["calls", "test", "suite.yaml", "--offline", "--only", "refuses", "--baseline", "a.json"],
      ...["-o", "table"],
    );
    expect(compared.stdout.match(/baseline\.spoken_numbers {2}none/g)).toHaveLength(1);
    expect(compared.stdout.match(/Um 9 Uhr/g)).toHaveLength(1);
    expect(compared.stderr).not.toContain("spoken_numbers");
  });

  test("`calls test` compares a repeated scenario with the baseline after its last repetition", async () => {
    const { run, runSuite, write } = suites();
    const repeated = suite.replace("tags: [smoke]", "tags: [smoke]\n    repeat: 2");
    write("suite.yaml", repeated);
    await runSuite("--tag", "smoke", "--record", "a.json");
    write("suite.yaml", repeated.replace("um 9 Uhr", "um 10 Uhr"));
    const flags = ["--offline", "--tag", "smoke", "--baseline", "a.json", "-o", "table"];
    const { stdout } = await run("calls", "test", "suite.yaml", ...flags);
    expect(stdout).toMatch(/✓ passed[\s\S]*\nCompared with the baseline:\n✗ differs/);
  });

  test("a number of turns that differs from the baseline causes only a warning", async () => {
    const { runSuite, write, read } = suites();
    const unanalysed = suite.replace('      analyses: { goal_reached: "yes" }\n', "");
    write("suite.yaml", unanalysed);
    await runSuite("--tag", "smoke", "--record", "a.json");
    const { turns, analyses } = JSON.parse(read("a.json")).scenarios[0];
    expect([turns, analyses]).toEqual([2, {}]);
    const more = ["{ user: Ja }", ...Array.from({ length: 8 }, () => "{ user: Gut }")].join(", ");
    write("suite.yaml", unanalysed.replace("{ user: Ja }]", `${more}]`));
    const ran = await runSuite("--tag", "smoke", "--baseline", "a.json");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('"reminds": turns changed from 2 to 10 (warning)');
  });

  test.each([
    ["Freitag um 09:00 Uhr", "9"],
    ["Am freitag, ９ Uhr", "9"],
    ["Freitag um 19 Uhr", "none"],
    ["Freitag um 9.30 Uhr", "9"],
    ["Freitag, Raum 9b", "none"],
  ])("a suite matches a fact only as whole words, regardless of case: %s", async (sentence, time) => {
    const { runSuite, read } = suites(
      suite.replace("Freitag, 3. August um 9 Uhr, 49,90 Euro, 030 1234567.", sentence),
    );
    await runSuite("--tag", "smoke", "--record", "a.json");
    expect(JSON.parse(read("a.json")).scenarios[0].facts).toEqual({ day: "freitag", time, price: "none" });
  });

  test("a suite does not compare a fact that the baseline lacks", async () => {
    const { runSuite, write } = suites();
    await runSuite("--tag", "smoke", "--record", "a.json");
    write("suite.yaml", suite.replace("day: FREITAG", "day: FREITAG, month: August"));
    const ran = await runSuite("--tag", "smoke", "--baseline", "a.json");
    expect(ran.code, ran.stderr).toBe(0);
  });

  test("an invalid pattern of a fact is refused before any call", async () => {
    const { runSuite } = suites(suite.replace("day: FREITAG", 'day: "/(/"'));
    const ran = await runSuite();
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("facts.day: invalid pattern");
  });

  test("`calls test` warns about baseline scenarios that the suite no longer contains", async () => {
    const { runSuite, write } = suites();
    await runSuite("--record", "a.json");
    expect((await runSuite("--tag", "smoke", "--baseline", "a.json")).stderr).not.toContain("refuses");
    write("suite.yaml", suite.replace("name: refuses", "name: declines"));
    const ran = await runSuite("--tag", "smoke", "--baseline", "a.json");
    expect(ran.stderr).toContain('"refuses": in the baseline (failed), but not in the suite (warning)');
    expect(ran.code).toBe(0);
  });

  test("a baseline without any scenario of the suite is refused before any call", async () => {
    const { runSuite } = suites();
    await runSuite("--tag", "smoke", "--record", "a.json");
    const ran = await runSuite("--only", "refuses", "--baseline", "a.json");
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(
      '--baseline: a.json contains no scenario of this run; it contains 1 scenario: \\"reminds\\"',
    );
  });

  test("`calls test` refuses invalid baseline and quarantine files before any call", async () => {
    const { runSuite, write, run } = suites();
    write("x.json", "{}");
    expect((await runSuite("--baseline", "x.json")).code).toBe(2);
    expect((await runSuite("--baseline", "nowhere.json")).stderr).toContain(
      "--baseline: nowhere.json can't be read",
    );
    expect((await run("calls", "test", "suite.yaml", "x.json")).code).toBe(2);
    await runSuite("--tag", "smoke", "--record", "a.json");
    await runSuite("--only", "refuses", "--record", "b.json");
    const apart = await run("calls", "compare", "a.json", "b.json");
    expect([apart.code, apart.stderr]).toEqual([
      2,
      expect.stringContaining("a.json and b.json have no scenario in common"),
    ]);
  });
});

describe("the output files of a suite", () => {
  test("the JUnit file shows the error of an invalid suite", async () => {
    const { runSuite, write, read } = suites();
    expect((await runSuite("--tag", "smoke", "--junit", "results.xml")).code).toBe(0);
    write("suite.yaml", "scenarios: [");
    const invalid = await runSuite("--junit", "results.xml");
    expect([invalid.code, invalid.stderr]).toEqual([
      2,
      expect.stringContaining("Saved the JUnit results to results.xml."),
    ]);
    expect(read("results.xml")).toContain('tests="1" failures="0" errors="1"');
    expect(read("results.xml")).toContain('<testcase name="suite.yaml"');
  });

  test("without --force, output files replace only files of the same format", async () => {
    const { runSuite, write, read, run } = suites();
    const junit = '<?xml version="1.0"?>\n<testsuites></testsuites>\n';
    await runSuite("--tag", "smoke", "--record", "a.json");
    const record = read("a.json");
    write("other.yaml", suite);
    write("old.xml", junit);
    write("page.xml", "<html><!-- <testsuites> --></html>");
    for (const [flag, file] of [
      ["--record", "other.yaml"],
      ["--record", "old.xml"],
      ["--junit", "other.yaml"],
      ["--junit", "a.json"],
      ["--junit", "page.xml"],
    ] as const) {
      const before = read(file);
      const ran = await runSuite(flag, file);
      expect([ran.code, ran.stdout], ran.stderr).toEqual([12, ""]);
      expect(ran.stderr).toContain(`${flag}: ${file} already exists and`);
      expect(ran.stderr).toContain("to replace the file, use --force");
      expect(read(file)).toBe(before);
    }
    write("empty.json", "");
    const own = await runSuite("--tag", "smoke", "--record", "empty.json", "--junit", "old.xml");
    expect(own.code, own.stderr).toBe(0);
    expect(read("old.xml")).toContain('tests="1"');
    expect(JSON.parse(read("empty.json")).scenarios).toEqual(JSON.parse(record).scenarios);
    expect((await runSuite("--tag", "smoke", "--record", "a.json")).code).toBe(0);
    expect((await runSuite("--tag", "smoke", "--record", "other.yaml", "--force")).code).toBe(0);
    expect(JSON.parse(read("other.yaml")).voxctl_calls).toBe(2);
    const alone = await run("calls", "test", "suite.yaml", "--offline", "--force");
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--force requires --record")]);
  });

  test("an output file can't be another file of the same command, even with --force", async () => {
    const { runSuite, write, read, home } = suites();
    await runSuite("--record", "a.json");
    write("q.yaml", "quarantine: []");
    symlinkSync("a.json", join(home, "link.json"));
    for (const [flags, message] of [
      [["--record", "suite.yaml"], "--record: suite.yaml is the suite file"],
      [["--record", "-"], "invalid --record"],
      [["--junit", "./suite.yaml"], "--junit: ./suite.yaml is the suite file"],
      [["--record", "link.json", "--baseline", "a.json"], "omit --baseline to accept"],
      [["--junit", "a.json", "--baseline", "a.json"], "--junit: a.json is also the file for --baseline"],
      [
        ["--record", "q.yaml", "--quarantine", "q.yaml"],
        "--record: q.yaml is also the file for --quarantine",
      ],
      [["--record", "new", "--junit", "./new"], "--record: new is also the file for --junit"],
    ] as const) {
      const kept = ["suite.yaml", "a.json", "q.yaml"].map(read);
      const ran = await runSuite(...flags, "--force");
      expect([ran.code, ran.stdout]).toEqual([2, ""]);
      expect(ran.stderr).toContain(message);
      expect(["suite.yaml", "a.json", "q.yaml"].map(read)).toEqual(kept);
    }
  });

  test("--record warns about scenarios that the new baseline will lose", async () => {
    const { runSuite } = suites();
    expect((await runSuite("--record", "a.json")).stderr).not.toContain("will lose");
    expect((await runSuite("--record", "a.json")).stderr).not.toContain("will lose");
    const { stderr } = await runSuite("--tag", "smoke", "--record", "a.json");
    expect(stderr.match(/will lose/g)).toHaveLength(1);
    expect(stderr).toContain(
      `warning: --record: a.json will lose 1 scenario that this run doesn't call: "refuses"`,
    );
  });
});

describe("calls test --quarantine", () => {
  const until = (day: string) => `quarantine: [{ scenario: refuses, until: "${day}", reason: known }]`;

  test("--quarantine tolerates and reports a scenario's failure until the end date", async () => {
    const { runSuite, write, read, runWith } = suites();
    write("q.yaml", until("2999-12-31"));
    const ran = await runSuite("--quarantine", "q.yaml");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('"refuses" failed, but is in quarantine until 2999-12-31 (known)');
    expect(ran.stderr).toMatch(/^1 scenario passed, 1 failed in quarantine$/m);
    expect(ran.json[1]).toMatchObject({ result: "failed", quarantined_until: "2999-12-31" });
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: "summary.md" };
    const annotated = await runWith(
      { env },
      "calls",
      "test",
      "suite.yaml",
      "--offline",
      "--quarantine",
      "q.yaml",
    );
    expect(annotated.stderr).toMatch(/^::notice file=.*,title=refuses::in quarantine until 2999-12-31: /m);
    expect(annotated.stderr).not.toContain("::error");
    expect(read("summary.md")).toContain("| ➖ in quarantine until 2999-12-31 | refuses |");
    expect((await runSuite("--quarantine", "q.yaml", "--junit", "results.xml")).code).toBe(0);
    const xml = read("results.xml");
    expect(xml).toContain('tests="2" failures="0" errors="0" skipped="1"');
    expect(xml).toMatch(/<skipped message="in quarantine until 2999-12-31: [^"]*Nein[^"]*"\/>/);
  });

  test("a quarantined scenario fails again after the end date", async () => {
    const { runSuite, write } = suites();
    write("q.yaml", until("2020-01-31"));
    const ran = await runSuite("--quarantine", "q.yaml");
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("ended on 2020-01-31")]);
    write("q.yaml", until("2999-12-31").replace("refuses", "nobody"));
    expect((await runSuite("--quarantine", "q.yaml")).stderr).toContain(
      'quarantined scenario "nobody" is not in this run',
    );
    write("q.yaml", until("2999-12-31").replace("refuses", "refuse"));
    expect((await runSuite("--quarantine", "q.yaml")).stderr).toContain(
      'quarantined scenario "refuse" is not in this run; did you mean refuses?',
    );
    write("q.yaml", "quarantine: [{ scenario: refuses }]");
    expect((await runSuite("--quarantine", "q.yaml")).code).toBe(2);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { formatPlan } from "../helpers/plan.js";

const id = "65f100000000000000004567";
const steps = [
  {
    step: 1,
    op: "prompts.update",
    path: { prompt_id: id },
    body: { text: "one\ntwo\nfour" },
    if: { fields: { text: "one\ntwo\nthree" } },
    after: { name: "Empfang" },
    undo: "full",
  },
  {
    step: 2,
    op: "contacts.create",
    body: { group_id: id, first_name: "Neu", phone_numbers: ["+491510000003"] },
    undo: "full",
  },
  {
    step: 3,
    op: "contacts.update",
    path: { contact_id: id },
    body: { last_name: "Weiss" },
    if: { fields: { last_name: "Weiß" } },
    before: { first_name: "Anna" },
    undo: "full",
  },
  {
    step: 4,
    op: "tools.update",
    path: { tool_id: id },
    body: { secret: { $secret: "tools/crm" }, headers: { "X-Key": "s3cr3t-value" } },
    undo: "none",
  },
  { step: 5, op: "contacts.delete", path: { contact_id: id }, before: { first_name: "Eva" }, undo: "new-id" },
];
const header = {
  summary: {
    contacts: { created: 1, updated: 1, deleted: 1 },
    prompts: { created: 0, updated: 1, deleted: 0 },
  },
  secrets: { "tools/crm": ["tools.secret"] },
};

function withPlan(text: string | Buffer, name = "kunden.plan") {
  const line = commandLine();
  writeFileSync(join(line.home, name), text);
  return (...flags: string[]) => line.run("plan", "show", name, ...flags);
}

describe("plan show", () => {
  it("`plan show` prints a plan's changes offline, sorted by resource and name", async () => {
    const show = withPlan(formatPlan({ header, steps }));
    const { code, stdout } = await show("-o", "table");
    expect(code).toBe(0);
    expect(stdout).toContain("create 1 contact, update 1 and delete 1; update 1 prompt");
    expect(stdout).toContain('~ Anna Weiss (step 3, 65f1…4567)\n      last_name: "Weiß" → "Weiss"');
    expect(stdout).toContain("- Eva (step 5, 65f1…4567)");
    expect(stdout.indexOf("contacts\n")).toBeLessThan(stdout.indexOf("prompts\n"));
    expect(stdout).toContain("      -three\n      +four");
    expect(stdout).toContain(
      "Undo: 3 steps can be undone, 1 step can be undone with new IDs, 1 step can't be undone\n",
    );
    expect(stdout).toContain("tools/crm");
    expect(stdout.match(/^.*: can't be undone$/gm)).toEqual(["  ~ 65f1…4567 (step 4): can't be undone"]);
  });

  it("`plan show` shows a changed email even if both emails look equal when masked", async () => {
    const emails = ["eva@example.org", "emma@example.org"];
    const update = {
      ...{ step: 1, op: "contacts.update", path: { contact_id: id }, undo: "full" },
      ...{ body: { emails }, if: { fields: { emails: emails.slice(0, 1) } } },
    };
    const show = withPlan(formatPlan({ header, steps: [update] }));
    const masked = await show("--format", "text");
    expect(masked.stdout).toContain('emails: +"e…@example.org"\n');
    expect(masked.stdout).toContain("to show them, use --unmasked");
    const complete = await show("--format", "text", "--unmasked");
    expect(complete.stdout).toContain('emails: +"emma@example.org"\n');
    expect(complete.stdout).not.toContain("--unmasked");
  });

  it("`plan show` shows the group, numbers and emails of a deleted contact", async () => {
    const before = { group_id: id, first_name: "Eva", phone_numbers: ["+491510000003"], emails: [] };
    const deletion = { step: 1, op: "contacts.delete", path: { contact_id: id }, before, undo: "new-id" };
    const show = withPlan(formatPlan({ header, steps: [deletion] }));
    const { stdout } = await show("--format", "text");
    expect(stdout).toContain(
      `- Eva (step 1, 65f1…4567)\n      group_id: "${id}"\n      phone_numbers: ["+4915…03"]\n\n`,
    );
  });

  it("`plan show` masks a phone number that is shown as the name of a call", async () => {
    const body = { assistant_id: id, to: "+491510000003" };
    const show = withPlan(
      formatPlan({ header, steps: [{ step: 1, op: "calls.create", body, undo: "none" }] }),
    );
    for (const format of ["text", "markdown"]) {
      const { stdout } = await show("--format", format);
      expect(stdout).toContain("* +4915…03 (step 1)");
      expect(stdout).not.toContain("+491510000003");
    }
  });

  it("`plan show` always hides secrets, and masks phone numbers unless --unmasked is set", async () => {
    const show = withPlan(formatPlan({ header, steps }));
    const masked = (await show("--format", "text")).stdout;
    expect(masked).toContain("+4915…03");
    expect(masked).not.toContain("+491510000003");
    const whole = (await show("--format", "text", "--unmasked")).stdout;
    expect(whole).toContain("+491510000003");
    expect(whole).toContain("secret: (changed)");
    for (const flags of [[], ["--unmasked"], ["-o", "json"], ["--format", "markdown"]])
      expect((await show(...flags)).stdout).not.toContain("s3cr3t-value");
  });

  it("`plan show -o json` masks phone numbers only on a terminal and in CI", async () => {
    const line = commandLine();
    writeFileSync(join(line.home, "kunden.plan"), formatPlan({ header, steps }));
    const show = async (how: Parameters<typeof line.runWith>[0]) =>
      (await line.runWith(how, "plan", "show", "kunden.plan", "-o", "json")).stdout;
    for (const how of [{}, { terminal: 80, redirected: true }])
      expect(await show(how)).toContain("+491510000003");
    for (const how of [{ terminal: 80 }, { env: { CI: "true" } }])
      expect(await show(how)).not.toContain("+491510000003");
  });

  it("`plan show` counts the steps instead of trusting the header", async () => {
    const summary = { contacts: { created: 0, updated: 900, deleted: 0 } };
    const command = ["contacts", "sync", "meine kunden.csv", "--group", "Kunden", "--delete"];
    const show = withPlan(formatPlan({ header: { summary, command, secrets: {} }, steps }));
    const { stdout } = await show("--format", "text");
    expect(stdout).toContain("create 1 contact, update 1 and delete 1");
    expect(stdout).not.toContain("900");
    expect(stdout).toContain("contacts sync 'meine kunden.csv' --group Kunden --delete");
    expect(stdout).toContain("Secrets: tools/crm");
    const { json } = await show("-o", "json");
    expect(json).toMatchObject({ summary: { contacts: { created: 1 } }, undo: { full: 3, none: 1 } });
  });

  it("`plan show -o json` prints one document with every step", async () => {
    const { json } = await withPlan(formatPlan({ header, steps }))("-o", "json");
    expect(json.steps).toHaveLength(5);
    expect(json.steps[1]).toEqual(steps[1]);
    expect(json.id).toMatch(/^[0-9a-f]{12}$/);
  });

  it("`plan show` exits with code 2 for a truncated compressed plan", async () => {
    const packed = gzipSync(formatPlan({ steps }));
    for (const length of [20, Math.floor(packed.length / 2), packed.length - 4]) {
      const { code, stderr } = await withPlan(packed.subarray(0, length), "kunden.plan.gz")();
      expect([code, stderr]).toEqual([2, expect.stringContaining("invalid gzip data")]);
    }
  });

  it("`plan show` accepts a compressed plan", async () => {
    const show = withPlan(gzipSync(formatPlan({ header, steps })), "kunden.plan.gz");
    expect((await show("-o", "json")).json.steps).toHaveLength(5);
  });

  it("`plan show --format markdown` of a large plan fits into a comment", async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      step: index + 1,
      op: "contacts.create",
      body: { first_name: "```", last_name: `<b>${index}</b>` },
      undo: "full",
    }));
    const { stdout } = await withPlan(formatPlan({ steps: many }))("--format", "markdown", "--diff", "full");
    expect(stdout.length).toBeLessThan(61_000);
    expect(stdout).toMatch(/… 1,\d+ more changes/);
    expect(stdout.match(/```/g)).toHaveLength(2);
    expect(stdout).toContain("<details><summary>contacts</summary>");
  });
});

it("`plan show --jq` processes a plan as one document", async () => {
  const show = withPlan(formatPlan({ header, steps }));
  const whole = (await show("-o", "json")).json;
  const queried = await show("--jq", "[.id, (.steps | length)]");
  expect([queried.code, queried.stderr]).toEqual([0, ""]);
  expect(queried.json).toEqual([whole.id, steps.length]);
});

describe("an invalid plan file", () => {
  const text = formatPlan({ header, steps });

  it("a plan file that is truncated at any position is refused", async () => {
    for (const length of [
      0,
      1,
      40,
      text.indexOf("\n"),
      text.indexOf("\n") + 1,
      text.length - 80,
      text.length - 20,
    ]) {
      const { code, stderr } = await withPlan(text.slice(0, length))();
      expect([length, code]).toEqual([length, 2]);
      expect(stderr).toMatch(/is not a plan file|is truncated|line \d+/);
    }
  });

  it("a changed plan file is refused unless its checksum also matches", async () => {
    const { code, stderr } = await withPlan(text.replace("Weiss", "Weisz"))();
    expect(code).toBe(2);
    expect(stderr).toContain("was changed after it was created");
    const fitting = /\{"end":5,"sha256":"[0-9a-f]{64}"\}/.exec(stderr)?.[0] ?? "";
    const corrected = text.replace("Weiss", "Weisz").replace(/\{"end".*\n$/, `${fitting}\n`);
    expect((await withPlan(corrected)()).code).toBe(0);
  });

  it("a plan file with an unknown field is refused", async () => {
    const [first, ...remaining] = steps;
    const { code, stderr } = await withPlan(formatPlan({ steps: [{ ...first, unless: 1 }, ...remaining] }))();
    expect(code).toBe(2);
    expect(stderr).toContain("line 2");
    expect(stderr).toContain("unless");
  });

  it("a plan file from a newer voxctl is refused", async () => {
    const { code, stderr } = await withPlan(formatPlan({ header: { plan: 2 }, steps }))();
    expect(code).toBe(2);
    expect(stderr).toContain("newer version of voxctl");
  });

  it("a file that is not a plan file is refused", async () => {
    for (const content of [
      "",
      "first_name,last_name\nAnna,Weiß\n",
      "{}",
      "[]\n",
      Buffer.from([0xff, 0xfe, 0x00]),
    ]) {
      const { code } = await withPlan(content)();
      expect(code).toBe(2);
    }
  });
});

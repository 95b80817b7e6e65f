import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readBeginning } from "../helpers/import.js";
import { createInstalledCli, readFirstLine } from "../helpers/installed-cli.js";

interface Expected {
  row: number;
  outcome: "created" | "duplicate" | "invalid";
  field?: string;
  first_name?: string;
  last_name?: string;
  phone_numbers?: string[];
  emails?: string[];
}

const data = (name: string) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));
const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const files = [
  { file: "kunden.csv", expected: "kunden.expected.jsonl" },
  { file: "contacts.csv", expected: "contacts.expected.jsonl" },
  { file: "contacts.jsonl", expected: "contacts-jsonl.expected.jsonl" },
];

async function prepareCommand(where: "in process" | "over HTTP") {
  const voxctl = createInstalledCli();
  const offline: Record<string, string> = { VOXCTL_PROFILE: "offline" };
  if (where === "in process") return { ...voxctl, env: offline };
  // High limits, since other tests measure the pace of an import.
  const limits = ["--limits", "write=1000000,read=1000000"];
  const server = voxctl.start([
    "emulator",
    "start",
    "--db",
    ":memory:",
    "--port",
    "0",
    "-o",
    "json",
    ...limits,
  ]);
  const line = JSON.parse(await readFirstLine(server));
  const remote: Record<string, string> = { VOXCTL_BASE_URL: line.base_url, VOXCTL_API_KEY: line.keys.admin };
  return { ...voxctl, env: remote };
}

const whole = process.env["PROOF"] !== undefined;
const takenRows = whole ? Number.POSITIVE_INFINITY : 120;
const sample = files.filter(({ file }) => file === "contacts.jsonl");
const transports = whole ? (["in process", "over HTTP"] as const) : (["over HTTP"] as const);

describe.each(transports)("the built command, %s", (where) => {
  test.each(whole ? files : sample)(
    "the built command imports the expected rows of $file",
    async ({ file, expected }) => {
      const { run, env, home } = await prepareCommand(where);
      const rows: Expected[] = lines(readFileSync(data(expected), "utf8")).slice(0, takenRows);
      writeFileSync(join(home, file), readBeginning(data(file), takenRows));
      const count = (outcome: Expected["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
      const command = ["contacts", "import", file, "--group", "Kunden", "--country", "DE", "-o", "json"];

      const first = await run([...command, "--create-group"], { env });
      const summary = JSON.parse(first.stdout);
      expect(first.code).toBe(68);
      expect(summary).toMatchObject({
        rows: rows.length,
        created: count("created"),
        duplicates: count("duplicate"),
        invalid: count("invalid"),
        failed: 0,
        unknown: 0,
        rate_limited: 0,
      });

      const listed = await run(["contacts", "list", "--group", "Kunden", "--all", "-o", "ndjson"], { env });
      // Over HTTP, requests run concurrently, so the order of contacts may differ slightly.
      const contact = ({ first_name, last_name, phone_numbers, emails }: Expected) =>
        JSON.stringify([first_name, last_name, phone_numbers, emails]);
      expect(lines(listed.stdout).map(contact).sort()).toEqual(
        rows
          .filter((row) => row.outcome === "created")
          .map(contact)
          .sort(),
      );

      const reported: Expected[] = lines(readFileSync(summary.report, "utf8"));
      const rejected = ({ row, outcome, field }: Expected) => ({ row, outcome, field });
      expect(reported.map(rejected)).toEqual(rows.filter((row) => row.outcome !== "created").map(rejected));

      const second = JSON.parse((await run(command, { env })).stdout);
      expect(second).toMatchObject({
        created: 0,
        updated: 0,
        unchanged: count("created"),
        duplicates: count("duplicate"),
      });
    },
    // The test starts four processes, one after the other.
    120_000,
  );
});

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { debianPython, findMissingModule } from "./programs.js";

const missing = findMissingModule("openpyxl");

const reader = `
import json, openpyxl, sys, warnings
warnings.simplefilter("error")
sheet = openpyxl.load_workbook(sys.argv[1]).active
print(json.dumps([[cell.data_type + ":" + str(cell.value or "") for cell in row] for row in sheet.iter_rows()]))
`;

// Needs the Python package openpyxl, which the project does not install.
it.skipIf(missing)("openpyxl reads every cell of an exported spreadsheet as its original text", async () => {
  const { home, run } = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
  const texts = ["=1+1", '@SUM "x"', "<b>&amp;</b>", " Weiß\t ", "1e5", "007", "😀"];
  for (const text of texts) {
    const data = JSON.stringify({ first_name: "X", last_name: text, emails: ["x@example.org"] });
    const created = await run("contacts", "create", "--group", "Patienten", "--data", data);
    expect(created.code, created.stderr).toBe(0);
  }
  const exported = await run("contacts", "export", "contacts.xlsx", "--group", "Patienten");
  expect(exported.code, exported.stderr).toBe(0);
  const listed = await run("contacts", "list", "--group", "Patienten", "--all", "-o", "json");
  const read = spawnSync(debianPython, ["-c", reader, join(home, "contacts.xlsx")], { encoding: "utf8" });
  expect(read.stderr).toBe("");
  const [header, ...rows]: string[][] = JSON.parse(read.stdout);
  expect(header).toEqual(["s:first_name", "s:last_name", "s:phone_numbers", "s:emails"]);
  const cell = (text: string) => (text === "" ? "n:" : `s:${text}`);
  expect(rows.toSorted()).toEqual(
    (listed.json as { first_name: string; last_name: string; phone_numbers: string[]; emails: string[] }[])
      .map((contact) => [
        cell(contact.first_name),
        cell(contact.last_name),
        cell(contact.phone_numbers.join("; ")),
        cell(contact.emails.join("; ")),
      ])
      .toSorted(),
  );
});

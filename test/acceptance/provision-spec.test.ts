import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { createSpreadsheet } from "../helpers/xlsx.js";

async function setUp() {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  const provision = (...argv: string[]) => shell.run("--profile", "offline", "orgs", "provision", ...argv);
  const write = (name: string, text: string | Buffer) => writeFileSync(join(shell.home, name), text);
  const list = async () => (await shell.run("--profile", "offline", "orgs", "list", "-o", "json")).json;
  return { ...shell, emulator, provision, write, list };
}

const header = "type,external_id,name,parent,license,product,status\n";

describe("an organization spec", () => {
  test("a table is refused as a spec if its encoding can't be detected", async () => {
    const { provision, write, list } = await setUp();
    const rows = Buffer.from(
      "msp,elbe,Elbe S\x81d,,elbe-base,MSP,\nmsp,l,Optik L\x84nge,,l-base,,\n",
      "latin1",
    );
    write("dos.csv", Buffer.concat([Buffer.from(header), rows]));
    const { code, stderr } = await provision("dos.csv", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain("error: dos.csv has 2 errors");
    expect(stderr).toContain("is garbled: the file was read as windows-1252");
    expect(stderr).toContain("save it as UTF-8");
    expect(await list()).toEqual([]);
    write("latin1.csv", Buffer.from(`${header}msp,elbe,Elbe Süd & Söhne,,elbe-base,MSP,\n`, "latin1"));
    expect((await provision("latin1.csv", "--yes")).code).toBe(0);
    expect(await list()).toMatchObject([{ name: "Elbe Süd & Söhne" }]);
  });

  test.each(["\\e[2K", "\\a", "\\n", "\\u202E", "\\u200E", "\\u0081"])(
    "a spec is refused if the name of a new organization contains %s",
    async (character) => {
      const { provision, write, list } = await setUp();
      write("spec.yaml", `msps: [{external_id: elbe, name: "Elbe${character}Nord", license: elbe-base}]`);
      const { code, stderr } = await provision("spec.yaml", "--yes");
      expect(code).toBe(2);
      expect(stderr).toContain("line 1, MSP elbe: the name ");
      expect(stderr).toContain("contains a control character or line break");
      expect(await list()).toEqual([]);
    },
  );

  test("a spec may contain control characters in the name of an existing organization", async () => {
    const { provision, run, write } = await setUp();
    const create = ["orgs", "create", "--type", "msp", "--external-id", "elbe", "--license", "elbe-base"];
    expect((await run("--profile", "offline", ...create, "--name", "Elbe\nNord")).code).toBe(0);
    write("spec.yaml", 'msps: [{external_id: elbe, name: "Elbe\\nNord", license: elbe-base}]');
    expect((await provision("spec.yaml", "--yes")).json).toMatchObject({ created: 0, existing: 1 });
  });

  test("the hint for a binary file does not suggest a flag that `orgs provision` lacks", async () => {
    const { provision, write } = await setUp();
    write("nul.csv", `${header}msp,elbe,Elbe\0Nord,,elbe-base,MSP,\n`);
    const { code, stderr } = await provision("nul.csv", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain("hint: save the table as a CSV file in UTF-8, separated by commas");
    expect(stderr).not.toContain("--encoding");
  });

  test("the error for an invalid license in a spec names the invalid field", async () => {
    const { provision, write } = await setUp();
    const msp =
      "{external_id: a, name: A, license: a-base, licenses: [{id: a-1, status: Disabled}, {id: a-2, size: 1}]}";
    write("spec.yaml", `msps: [${msp}]`);
    expect((await provision("spec.yaml", "--dry-run")).stderr.split("\n")).toEqual(
      expect.arrayContaining([
        '  line 1, MSP a: licenses.0.status must be "available" or "disabled"',
        "  line 1, MSP a: licenses.1.size is not a known field",
      ]),
    );
  });

  test("the error for several YAML documents in one spec file names the separating line", async () => {
    const { provision, write } = await setUp();
    write("spec.yaml", "msps: []\n---\nmsps: []\n");
    const { code, stderr } = await provision("spec.yaml", "--dry-run");
    expect(code).toBe(2);
    expect(stderr).toContain("it contains several documents, separated by --- at line 2");
  });

  test("the error for an unreadable spreadsheet cell names the column only once", async () => {
    const { provision, write } = await setUp();
    const rows = [header.trim().split(","), ["msp", "a", "A", "", { attributes: 't="b"', xml: "<v>1</v>" }]];
    write("spec.xlsx", createSpreadsheet(rows));
    const { code, stderr } = await provision("spec.xlsx", "--dry-run");
    expect(code).toBe(2);
    expect(stderr).toContain("line 2: license (E2) ");
  });

  test("`orgs provision` shows the stored name if the name in the spec differs only in case", async () => {
    const { provision, write } = await setUp();
    write("spec.yaml", "msps: [{external_id: a, name: Alster, license: a-base}]");
    await provision("spec.yaml", "--yes");
    write("spec.yaml", "msps: [{external_id: a, name: ALSTER, license: a-base}]");
    expect((await provision("spec.yaml", "--yes")).json.items).toMatchObject([
      { result: "exists", name: "Alster" },
    ]);
  });

  test("a dry run as JSON shows the name and product of the changed resources", async () => {
    const { provision, write } = await setUp();
    const spec = (license: string, status: string) =>
      `msps: [{external_id: a, name: A, license: a-0, licenses: [a-1, {id: a-2, product: Seat, status: ${status}}], customers: [{external_id: c, name: C, license: ${license}}]}]`;
    write("spec.yaml", spec("a-2", "available"));
    await provision("spec.yaml", "--yes");
    write("spec.yaml", spec("a-1", "disabled"));
    const { json } = await provision("spec.yaml", "--converge", "--dry-run", "-o", "json");
    const changes = json.filter(({ action }: { action: string }) => action === "change");
    expect(changes).toMatchObject([
      { kind: "customer", external_id: "c", name: "C" },
      { kind: "license", external_id: "a-2", product: "Seat" },
    ]);
  });

  test("the suggested fix works for a license held by an organization outside the spec", async () => {
    const { provision, run, write } = await setUp();
    const spec = (customer: string) =>
      `{name: s, msps: [{external_id: a, name: A, license: a-0, licenses: [a-1, a-2], customers: [{external_id: ${customer}, name: C, license: a-1}]}]}`;
    write("first.yaml", spec("theirs").replace("name: s, ", ""));
    await provision("first.yaml", "--yes");
    write("spec.yaml", spec("c"));
    const { stdout } = await provision("spec.yaml", "--converge", "--prune", "--dry-run", "-o", "table");
    expect(stdout).toContain(
      "assign a different license to theirs: `voxctl licenses reassign theirs LICENSE`",
    );
    await run("--profile", "offline", "licenses", "reassign", "theirs", "a-2");
    expect((await provision("spec.yaml", "--yes")).json).toMatchObject({ created: 1 });
  });
});

// Commands ask for confirmation only if they would change something.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { createPeople, formatCsv, setUpSync } from "../helpers/sync.js";
import { openSeededEmulator } from "../helpers/templates.js";

const people = createPeople(4);

async function practice() {
  const emulator = await openSeededEmulator({
    seed: "demo",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const writes = async () => {
    const requests = (await emulator.control("GET", "/requests?limit=200")) as { method: string }[];
    return requests.filter(({ method }) => method !== "GET").length;
  };
  return { ...shell, emulator, writes };
}

describe("commands without changes", () => {
  test("`contacts dedupe` exits with code 0 without a prompt if the group has no duplicates", async () => {
    const { syncTo, run } = await setUpSync();
    await syncTo(people);
    const ran = await run("contacts", "dedupe", "--group", "Kunden", "-o", "json");
    expect([ran.code, ran.json]).toMatchObject([0, { clusters: 0, deleted: 0 }]);
    await run(
      "contacts",
      "create",
      "--group",
      "Kunden",
      "--first-name",
      "Vor0",
      "--last-name",
      "Nach0",
      "--phone-number",
      "+4915110000000",
    );
    expect((await run("contacts", "dedupe", "--group", "Kunden")).code).toBe(12);
  });

  test("`contacts sync --delete` exits with code 0 without a prompt if the file equals the group", async () => {
    const { syncTo } = await setUpSync();
    await syncTo(people, "--delete");
    const again = await syncTo(people, "--delete");
    expect([again.code, again.json]).toMatchObject([0, { deleted: 0, requests: expect.any(Number) }]);
    expect((await syncTo(people.slice(1), "--delete")).code).toBe(12);
  });

  test("`contacts delete --search` exits with code 0 without a prompt if no contact matches", async () => {
    const { syncTo, run } = await setUpSync();
    await syncTo(people);
    expect((await run("contacts", "delete", "--search", "Niemand", "-o", "json")).code).toBe(0);
    expect((await run("contacts", "delete", "--search", "Vor1", "--max-delete", "100%")).code).toBe(12);
  });

  test("`runs undo` exits with code 0 without a prompt if there is nothing to undo", async () => {
    const { syncTo, run, home } = await setUpSync();
    await syncTo(people);
    const importing = [
      "contacts",
      "import",
      "kunden.csv",
      "--group",
      "Kunden",
      "--country",
      "DE",
      "-o",
      "json",
    ];
    const { json: nothing } = await run(...importing);
    expect((await run("runs", "undo", nothing.run_id, "-o", "json")).code).toBe(0);
    writeFileSync(join(home, "kunden.csv"), formatCsv(createPeople(2, 50)));
    const { json: two } = await run(...importing);
    expect((await run("runs", "undo", two.run_id)).code).toBe(12);
    expect((await run("runs", "undo", two.run_id, "--yes")).code).toBe(0);
    expect((await run("runs", "undo", two.run_id)).code).toBe(0);
  });

  test("`apply` exits with code 0 without a prompt if there is nothing to apply", async () => {
    const { syncTo, run } = await setUpSync();
    await syncTo(people);
    await syncTo(people, "--plan", "leer.plan");
    expect((await run("apply", "leer.plan")).code).toBe(0);
    await syncTo(people.slice(1), "--delete", "--max-delete", "1", "--plan", "weg.plan");
    expect((await run("apply", "weg.plan")).code).toBe(12);
    expect((await run("apply", "weg.plan", "--yes")).code).toBe(0);
    expect((await run("apply", "weg.plan")).code).toBe(0);
    expect((await run("apply", "weg.plan", "--retry")).code).toBe(0);
  });
});

describe("licenses disable", () => {
  test("`licenses disable` names the organization that it will block", async () => {
    const { run, writes } = await practice();
    const { json } = await run("licenses", "list", "havel-it", "-o", "json");
    const held = json.find(({ status }: { status: string }) => status === "assigned").externalLicenseId;
    const free = json.find(({ status }: { status: string }) => status === "available").externalLicenseId;
    const before = await writes();
    const refused = await run("licenses", "disable", "havel-it", held);
    expect([refused.code, await writes()]).toEqual([12, before]);
    expect((await run("licenses", "disable", "havel-it", held, "--dry-run")).code).toBe(0);
    expect((await run("licenses", "disable", "havel-it", free)).code).toBe(0);
    expect((await run("licenses", "disable", "havel-it", held, "--yes")).code).toBe(0);
    expect((await run("licenses", "disable", "havel-it", held)).code).toBe(0);
  });
});

describe("licenses list", () => {
  test("`licenses list` shows the organization that holds each license", async () => {
    const { run } = await practice();
    const { stdout } = await run("licenses", "list", "havel-it", "-o", "table");
    expect(stdout).toMatch(/^havel-base .* havel-it$/m);
    expect(stdout).toMatch(/^havel-001 .* praxis-sommer$/m);
    expect(stdout).toMatch(/^havel-004 .* available {2}–$/m);
  });
});

describe("licenses reassign", () => {
  test.each(["praxis-sommer", "its id"])(
    "`licenses reassign` makes no change if the organization (%s) already has the license",
    async (way) => {
      const { run } = await practice();
      const { json } = await run("orgs", "list", "--all", "-o", "json");
      const own = json.find(
        (row: { externalOrganizationId: string }) => row.externalOrganizationId === "praxis-sommer",
      );
      const named = way === "its id" ? own.id : way;
      const again = await run("licenses", "reassign", named, own.externalLicenseId, "-o", "json");
      expect([again.code, again.json]).toMatchObject([0, { externalLicenseId: own.externalLicenseId }]);
      expect(again.stderr).toContain(`already has license ${own.externalLicenseId}`);
    },
  );

  test("`licenses reassign` prints one sentence on a terminal", async () => {
    const { run } = await practice();
    const { stdout } = await run("licenses", "reassign", "praxis-sommer", "havel-004", "-o", "table");
    expect(stdout).toBe("Assigned license havel-004 to praxis-sommer.\n");
  });

  test("`licenses reassign` refuses a license that another organization holds", async () => {
    const { run } = await practice();
    const { json } = await run("orgs", "list", "--all", "-o", "json");
    const customers = json.filter(({ type }: { type: string }) => type === "customer");
    const own = customers.find(
      (row: { externalOrganizationId: string }) => row.externalOrganizationId === "praxis-sommer",
    );
    const sibling = customers.find(
      (row: { id: string; parentOrganizationId: string; status: string }) =>
        row.id !== own.id && row.parentOrganizationId === own.parentOrganizationId && row.status === "active",
    );
    const refused = await run("licenses", "reassign", "praxis-sommer", sibling.externalLicenseId);
    expect([refused.code, refused.stderr]).toEqual([
      6,
      expect.stringContaining(sibling.externalOrganizationId),
    ]);
  });
});

describe("--ignore-not-found", () => {
  const missing = "65f1a0b2c3d4e5f60123ffff";

  test.each([
    ["contacts", missing],
    ["groups", "Nirgends"],
    ["prompts", "Nirgends"],
    ["orgs", "nirgends"],
    ["alias", "nirgends"],
    ["mirror", "nirgends"],
  ])("%s delete --ignore-not-found exits with code 0 if the resource does not exist", async (noun, id) => {
    const { run } = await practice();
    expect((await run(noun, "delete", id, "--yes")).code).toBe(4);
    const ignored = await run(noun, "delete", id, "--ignore-not-found", "-o", "json");
    expect([ignored.code, ignored.json]).toEqual([0, { id, deleted: false }]);
  });

  test("all delete commands have the flag --ignore-not-found", async () => {
    const { run } = await practice();
    interface Node {
      name: string;
      command: string;
      commands?: Node[];
      flags?: { name: string }[];
    }
    const list = (node: Node): Node[] => (node.commands ? node.commands.flatMap(list) : [node]);
    const deletes = list((await run("commands", "-o", "json")).json).filter(({ name }) =>
      ["delete", "remove", "discard"].includes(name),
    );
    expect(deletes.length).toBeGreaterThan(15);
    const missingIt = deletes.filter(({ flags }) => !flags?.some(({ name }) => name === "ignore-not-found"));
    expect(missingIt.map(({ command }) => command)).toEqual([]);
    const discarded = await run("runs", "discard", "2aa82de186e4", "--ignore-not-found", "-o", "json");
    expect([discarded.code, discarded.json]).toEqual([0, { id: "2aa82de186e4", deleted: false }]);
  });

  test("--ignore-not-found does not replace the confirmation for an existing resource", async () => {
    const { run } = await practice();
    expect((await run("groups", "delete", "Patienten", "--ignore-not-found")).code).toBe(12);
  });
});

describe("contacts sync --protect", () => {
  test.each([
    ["numbers under a heading", "Telefon\n0151 10000003\n"],
    ["only numbers", "+4915110000003\n+4915110000002\n"],
    ["only emails", "p3@example.org\n"],
  ])("`contacts sync --protect` accepts a file with %s", async (_, text) => {
    const { syncTo, home, names } = await setUpSync();
    await syncTo(people);
    writeFileSync(join(home, "bleibt.csv"), text);
    const flags = ["--delete", "--max-delete", "100%", "--yes", "--protect", "bleibt.csv"];
    const ran = await syncTo(people.slice(0, 2), ...flags);
    expect(ran.code, ran.stderr).toBe(0);
    expect(await names()).toContain("Vor3");
    expect((await names()).includes("Vor2")).toBe(text.includes("0002"));
  });

  test("`contacts sync --protect` refuses a file that identifies no contact", async () => {
    const { syncTo, home } = await setUpSync();
    writeFileSync(join(home, "bleibt.csv"), "Ort;Farbe\nBerlin;rot\n");
    expect((await syncTo(people, "--delete", "--yes", "--protect", "bleibt.csv")).code).toBe(2);
  });

  test("if too many rows are unusable, `contacts sync` suggests omitting --delete", async () => {
    const { syncTo } = await setUpSync();
    const bad = people.map((person, index) => (index < 2 ? { ...person, phone: "12" } : person));
    const refused = await syncTo(bad, "--delete", "--yes");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("omit --delete")]);
  });
});

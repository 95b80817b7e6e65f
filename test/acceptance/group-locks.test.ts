import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { createGroupLocks } from "../../src/write/index.js";
import { commandLine, connectedTo, type Ran, type TestIo, temporaryFolder } from "../helpers/cli.js";
import { readContacts, wrapTransport } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function setUp() {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const people = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `Anna${from + index};0170 ${1_000_000 + from + index}`);
  const write = (name: string, rows: string[]) =>
    writeFileSync(join(shell.home, name), `Vorname;Telefon\n${rows.join("\n")}\n`);
  write("one.csv", people(0, 60));
  write("other.csv", people(40, 100));
  const group = (name: string) =>
    shell.run("groups", "create", "--type", "contacts", "--name", name, "-o", "json");
  const importing = (file: string, ...flags: string[]) => [
    ...["contacts", "import", file, "--group", "Kunden", "--country", "DE", "-o", "json"],
    ...flags,
  ];
  /** Before its first write, the first command waits until the second command waits or ends. */
  const during = async (
    first: string[],
    second: (begin: (...argv: string[]) => Promise<Ran>) => Promise<Ran>,
    whenItWaits: (io: TestIo) => void = () => {},
  ): Promise<[Ran, Ran]> => {
    let goOn = () => {};
    const stands = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let secondRun: Promise<Ran> | undefined;
    const begin = (...argv: string[]) =>
      shell.runWith(
        {
          before: (io) =>
            io.stderr.on("data", (text: Buffer) => {
              if (!text.toString().includes("Waiting for `voxctl")) return;
              whenItWaits(io);
              goOn();
            }),
        },
        ...argv,
      );
    const slow = wrapTransport(emulator, (transport) => async (url, request) => {
      if (request.method === "POST") {
        secondRun ??= second(begin).finally(goOn);
        await stands;
      }
      return transport(url, request);
    });
    const ran = await shell.runWith({ overrides: slow }, ...first);
    if (secondRun === undefined) throw new Error("the first command sent nothing");
    return [ran, await secondRun];
  };
  return { ...shell, emulator, group, importing, during };
}

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").error;

describe("two runs that write to the same group", () => {
  test("[T20] two concurrent imports into one group create no duplicates", async () => {
    const { emulator, group, importing, during } = await setUp();
    const { id } = (await group("Kunden")).json;
    const [firstRun, secondRun] = await during(importing("one.csv"), (begin) =>
      begin(...importing("other.csv")),
    );
    expect([firstRun.code, secondRun.code]).toEqual([0, 0]);
    expect(firstRun.json).toMatchObject({ created: 60 });
    expect(secondRun.json).toMatchObject({ created: 40, unchanged: 20 });
    expect(secondRun.stderr).toMatch(
      /Waiting for `voxctl contacts import one\.csv` \(process \d+\), which is writing to this group/,
    );
    expect(await readContacts(emulator, id)).toHaveLength(100);
  });

  test("[T20] two concurrent imports with --create-group create the group only once", async () => {
    const { run, importing } = await setUp();
    const both = await Promise.all([
      run(...importing("one.csv", "--create-group")),
      run(...importing("other.csv", "--create-group")),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both[0]?.json.created + both[1]?.json.created).toBe(100);
    const groups = (await run("groups", "list", "--type", "contacts", "-o", "json")).json;
    expect(groups.filter(({ name }: { name: string }) => name === "Kunden")).toHaveLength(1);
  });

  test("[T20] a second import into the same group exits with code 6 (--no-wait) or 7 (--max-wait)", async () => {
    const { emulator, group, run, importing, during } = await setUp();
    const { id } = (await group("Kunden")).json;
    const [firstRun, refused] = await during(importing("one.csv"), async () => {
      const late = await run(...importing("other.csv", "--max-wait", "1ms"));
      expect(late.code).toBe(7);
      expect(errorOf(late.stderr)).toMatchObject({ code: "group_wait", outcome: "none" });
      return run(...importing("other.csv", "--no-wait"));
    });
    expect([firstRun.code, refused.code]).toEqual([0, 6]);
    expect(errorOf(refused.stderr)).toMatchObject({ code: "group_busy", outcome: "none" });
    expect(await readContacts(emulator, id)).toHaveLength(60);
  });

  test("[A2] [T20] three concurrent `apply` commands apply the same plan file only once", async () => {
    const { emulator, group, run, importing, during } = await setUp();
    const { id } = (await group("Kunden")).json;
    const sealed = await run(...importing("other.csv", "--plan", "other.plan"));
    expect(sealed.code, sealed.stderr).toBe(0);
    let applied: Ran[] = [];
    await during(importing("one.csv"), async (begin) => {
      const apply = () => begin("apply", "other.plan", "--yes", "--skip-drifted", "-o", "json");
      const [first, ...laterRuns] = await Promise.all([apply(), apply(), apply()]);
      applied = [first, ...laterRuns];
      return first;
    });
    expect(applied.map(({ stderr }) => stderr).join("")).not.toContain("--new-run");
    const done = applied.filter(({ stdout }) => stdout !== "");
    expect(done.filter(({ json }) => !json.applied_before)).toHaveLength(1);
    expect(done.some(({ json }) => json.applied_before)).toBe(true);
    expect(await readContacts(emulator, id)).toHaveLength(100);
  });

  test("[T20] an import that waits for its group stops on Ctrl-C with exit code 130", async () => {
    const { group, importing, during } = await setUp();
    await group("Kunden");
    const [, ended] = await during(
      importing("one.csv"),
      (begin) => begin(...importing("other.csv")),
      (io) => io.signal("SIGINT"),
    );
    expect(ended.code).toBe(130);
  });

  test("[T20] dry runs and imports into other groups don't wait for a running import", async () => {
    const { group, run, importing, during } = await setUp();
    await group("Kunden");
    await group("Andere");
    const [, dry] = await during(importing("one.csv"), () =>
      run(...importing("other.csv", "--dry-run", "--no-wait")),
    );
    expect(dry.code).toBe(0);
    const elsewhere = [...importing("other.csv", "--no-wait", "--new-run")].map((word) =>
      word === "Kunden" ? "Andere" : word,
    );
    const [, secondRun] = await during(importing("one.csv", "--new-run", "--on-match", "create"), () =>
      run(...elsewhere),
    );
    expect(secondRun.json).toMatchObject({ created: 60 });
  });

  test("[T20] an undo waits for an import into the same group", async () => {
    const { emulator, group, run, importing, during } = await setUp();
    const { id } = (await group("Kunden")).json;
    const first = (await run(...importing("one.csv"))).json;
    const [, undone] = await during(importing("other.csv"), (begin) =>
      begin("runs", "undo", first.run_id, "--yes", "-o", "json"),
    );
    expect(undone.stderr).toContain("which is writing to this group");
    expect(undone.json).toMatchObject({ deleted: 60 });
    expect(await readContacts(emulator, id)).toHaveLength(40);
  });

  test("[T20] creating a group waits only for runs in the same organization", async () => {
    const folder = temporaryFolder();
    const openLocks = () => {
      const locks = createGroupLocks({
        ...{ folder, baseUrl: "https://voice.example.com/api/v1", machineClock: systemClock() },
        ...{ signal: new AbortController().signal, maxWaitMilliseconds: 0 },
        ...{ holder: { pid: 1, command: "contacts import" }, onWait: () => {} },
      });
      onTestFinished(() => locks.release());
      return locks;
    };
    const group = { type: "contacts", name: "Kunden" };
    await openLocks().hold({ ...group, oldestGroup: "g1" });
    expect(await openLocks().hold({ ...group, oldestGroup: "g2" })).toBe(false);
    await expect(openLocks().hold({ ...group, oldestGroup: "g1" })).rejects.toMatchObject({
      code: "group_busy",
    });
  });
});

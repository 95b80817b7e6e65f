import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, type TestIo } from "../helpers/cli.js";

/** Closes stdout before the first write, like a reader that exits. */
const readerGone = {
  before: (io: TestIo) => {
    // A write to the closed pipe emits an error, which would be thrown without this listener.
    io.stdout.on("error", () => {});
    io.stdout.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  },
};

const shell = () => commandLine({ env: { VOXCTL_PROFILE: "offline" } });

describe("a command whose output pipe is closed by its reader", () => {
  test("if the pipe is closed, a command that only reads exits with code 0 and prints no error", async () => {
    const { runWith } = shell();
    for (const argv of [["contacts", "list", "--all"], ["--help"], []])
      expect(await runWith(readerGone, ...argv)).toMatchObject({ code: 0, stderr: "" });
  });

  test("if the pipe is closed, `calls test` keeps exit code 11 for a failed expectation", async () => {
    const { runWith, home } = shell();
    writeFileSync(
      join(home, "suite.yaml"),
      "scenarios:\n  - { name: a, assistant: Empfang, to: '+4915112345678', expect: { status: failed }, offline: { status: completed } }\n",
    );
    const { code } = await runWith(readerGone, "calls", "test", "suite.yaml", "--offline");
    expect(code).toBe(11);
  });

  test("if the pipe is closed, an import keeps exit code 68 for rejected rows", async () => {
    const { run, runWith, home } = shell();
    writeFileSync(join(home, "list.csv"), "Vorname,Telefon\nAnna,+493023181234\n,+493023181235\n");
    const { code } = await runWith(
      readerGone,
      "contacts",
      "import",
      "list.csv",
      "--group",
      "Neu",
      "--create-group",
    );
    expect(code).toBe(68);
    const { json } = await run("contacts", "list", "--group", "Neu", "-o", "json");
    expect(json).toHaveLength(1);
  });
});

import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, type TestIo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** Typed text that ends the input. */
const gone = "";

async function person(typed: readonly (readonly [question: string, answer: string])[], env = {}) {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const shell = commandLine({ terminal: 80, env, overrides: connectedTo(emulator) });
  const runTyped = (ahead: string, ...argv: string[]) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
    const left = [...typed];
    const before = (io: TestIo) => {
      io.stdin = stdin;
      io.stderr.on("data", (chunk: Buffer) => {
        const [next] = left;
        if (next && chunk.toString().includes(next[0])) {
          left.shift();
          setImmediate(() => (next[1] === gone ? stdin.end() : stdin.write(next[1])));
        }
      });
    };
    stdin.write(ahead);
    return shell.runWith({ before }, ...argv, "--profile", "offline");
  };
  return { run: (...argv: string[]) => runTyped("", ...argv), runTyped, emulator };
}

const drawnOrRedrawn = /[\u001b\u2500-\u259f]/;

describe("--plain", () => {
  test.each([
    [["calls", "get", "65f1a0b2c3d4e5f601234568"]],
    [["orgs", "list", "--tree"]],
    [["stats", "usage"]],
    [["stats", "summary"]],
    [["contacts", "list"]],
    [["assistants", "get", "Empfang"]],
    [["calls", "trigger", "--to", "+4915112345678", "--assistant", "Terminservice", "--wait"]],
    [["demo"]],
    [["doctor"]],
    [["contacts", "--help"]],
    [["groups", "delete", "Patienten", "--dry-run"]],
  ])("with --plain, %j prints lines that a screen reader can read aloud", async (argv) => {
    const { run } = await person([], { FORCE_COLOR: "1" });
    const { code, stdout, stderr } = await run(...argv, "--plain");
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(drawnOrRedrawn);
    if (!argv.includes("--help")) expect(stdout).not.toMatch(/\S {2,}\S/);
  });

  test("--plain prints the speakers of a call, and the MSP of a customer", async () => {
    const { run } = await person([]);
    const call = await run("calls", "get", "65f1a0b2c3d4e5f601234568", "--plain");
    // The words vary from day to day, because the demo calls depend on the current date.
    expect(call.stdout).toMatch(/\nuser, 0:14: \p{L}/u);
    expect((await run("orgs", "list", "--tree", "--plain")).stdout).toContain(
      "ORGANIZATION: praxis-sommer\nMSP: havel-it\n",
    );
    expect((await run("stats", "usage", "--plain")).stdout).toMatch(
      /\nTotal: \d+ calls, (\d+:)?\d+:\d\d billable\n/,
    );
  });

  test.each([
    [["stats", "usage", "--chart"], "conflicting flags: --chart and --plain"],
    [["calls", "list", "--watch"], "--watch and --plain"],
  ])("--plain is refused in %j", async (argv, message) => {
    const { run } = await person([]);
    const { code, stderr } = await run(...argv, "--plain");
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe.each([
  ["--plain", ["--plain"], {}],
  ["TERM=dumb", [], { TERM: "dumb" }],
] as const)("prompts with %s", (_, flags, env) => {
  test("plain prompts show one line at a time", async () => {
    const { run } = await person(
      [
        ["group:", "99\n"],
        ["group:", "patienten\n"],
        ["first name:", "\n"],
        ["first name:", "Anna\n"],
        ["Set another field?", "2\n"],
        ["last name:", "Ode\n"],
        ["Set another field?", "1\n"],
        ["Create this contact?", "\n"],
      ],
      env,
    );
    const created = await run("contacts", "create", "-o", "json", ...flags);
    expect(created.code).toBe(0);
    expect(created.json).toMatchObject({ first_name: "Anna", last_name: "Ode" });
    expect(created.stderr).not.toMatch(drawnOrRedrawn);
    expect(created.stderr).toContain("Enter a number from 1 to ");
    expect(created.stderr).toContain("a value is required");
  });

  test("in a plain prompt, pressing Enter accepts the preselected language", async () => {
    const { run } = await person(
      [
        ["language:", "\n"],
        ["", gone],
      ],
      env,
    );
    const ran = await run("assistants", "create", "--name", "Neu", ...flags);
    expect(ran.stderr).toContain("language: (number or name, Enter for de)");
    expect(ran.stderr).not.toContain("Enter a number from 1 to ");
  });

  test("a plain prompt hides a secret", async () => {
    const hidden = await person([["API key:", "s3crex\u007ft-key\r"]], env);
    const add = ["profiles", "add", "acme", "--url", "https://voice.example/api/v1", ...flags];
    const added = await hidden.run(...add);
    expect(added.code).toBe(0);
    expect(added.stdout + added.stderr).not.toContain("s3cre");
    const interrupted = await person([["API key:", "\u0003"]], env);
    expect((await interrupted.run(...add)).code).toBe(130);
  });

  test("a plain confirmation ignores input that was typed before its prompt appeared", async () => {
    const { runTyped } = await person([["Delete", "n\n"]], env);
    expect((await runTyped("y\n", "groups", "delete", "Patienten", ...flags)).code).toBe(12);
  });

  test('a plain prompt accepts "no", and treats the end of input as an interruption', async () => {
    const no = await person([["Delete", "n\n"]], env);
    expect((await no.run("groups", "delete", "Patienten", ...flags)).code).toBe(12);
    const left = await person([["Delete", gone]], env);
    expect((await left.run("groups", "delete", "Patienten", ...flags)).code).toBe(130);
  });
});

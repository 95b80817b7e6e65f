import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { commandLine, connectedTo, type TestIo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** Codes that are readable on light and dark terminals: no black, white, bright colors or backgrounds. */
const allowed = new Set(["0", "1", "2", "3", "4", "22", "23", "24", "31", "32", "33", "34", "36", "39"]);

function styles(text: string): string[] {
  return [...text.matchAll(/\u001b\[([\d;]*)m/g)].flatMap((match) => (match[1] || "0").split(";"));
}

const suite = `defaults: { assistant: Terminservice, to: "+4915112345678" }
scenarios:
  - name: goes well
    offline: { duration: 45s, transcript: [{ user: Ja }] }
  - name: goes badly
    to: "+4915112345679"
    expect: { transcript: { contains: [Nein] } }
    offline: { duration: 45s, transcript: [{ user: Ja }] }
`;

test.each([
  [["contacts", "list"]],
  [["orgs", "list", "--tree"]],
  [["knowledge", "list"]],
  [["calls", "list"]],
  [["calls", "get", "65f1a0b2c3d4e5f601234568"]],
  [["calls", "trigger", "--to", "+4915112345678", "--assistant", "Terminservice", "--wait"]],
  [["calls", "test", "suite.yaml", "--offline"]],
  [["stats", "usage"]],
  [["stats", "usage", "--chart"]],
  [["doctor"]],
  [["demo"]],
  [["--help"]],
  [["contacts", "import", "--help"]],
  [["contacts", "get", "nobody", "--debug"]],
  [["contacts", "create"]],
  [["groups", "delete", "Patienten"]],
  [["tools", "create"]],
])("the colors of %j are readable on light and dark terminals", async (argv) => {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const shell = commandLine({
    terminal: 80,
    env: { FORCE_COLOR: "1", TERM: "xterm-256color" },
    overrides: connectedTo(emulator),
  });
  writeFileSync(join(shell.home, "suite.yaml"), suite);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const { stdout, stderr } = await shell.runWith(
    {
      before: (io: TestIo) => {
        io.stdin = stdin;
        io.stderr.end = () => io.stderr;
        // A prompt is shown and then canceled.
        io.stderr.on("data", (chunk: Buffer) => {
          if (chunk.toString().includes("?")) setImmediate(() => stdin.write("\u0003"));
        });
      },
    },
    ...argv,
    "--profile",
    "offline",
  );
  const used = styles(stdout + stderr);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((code) => !allowed.has(code))).toEqual([]);
});

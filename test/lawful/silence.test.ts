// No command waits for ever: a peer that never answers, that answers 1xx for ever or that sends a byte at a time is
// given up after its time. Over sockets, with small times to wait; pauses between attempts pass on the test's clock.
import { describe, expect, it } from "vitest";
import { files, quiet, talking } from "./commands.js";
import { jsonOf } from "./harness/bench.js";
import { createTestClock } from "./harness/clock.js";
import { runMain } from "./harness/in-process.js";
import { listenSilently, type Silence, silences } from "./harness/silent.js";
import { createSocketBench } from "./harness/sockets.js";
import { createSurroundings } from "./harness/surroundings.js";

const timeoutMilliseconds = 50;
/** Four attempts, and what a busy machine adds. */
const longestMilliseconds = 4 * timeoutMilliseconds + 20_000;
/** Ten minutes is what a run in bulk waits for a service that is out of order, and a while to find that out. */
const longestOnClock = 15 * 60_000;

const cases = talking.flatMap((argv) => silences.map((silence) => [argv, silence] as const));
/** Each silence, each of the three ways of answering: a thing, a list, a stream; and runs in bulk. */
const sample = cases.filter(
  ([argv], index) =>
    process.env["PROOF"] !== undefined ||
    (["ping", "contacts list --all", "calls recording download", "contacts import", "groups create"].some(
      (name) => argv.join(" ").startsWith(name),
    ) &&
      index % 2 === 0),
);

describe("a peer that comes to no end", () => {
  it.each(sample.map(([argv, silence]) => [argv.slice(0, 3).join(" "), silence, argv] as const))(
    "[T16] voxctl %s ends where the peer %s",
    async (_name, silence, argv) => {
      const { code, stderr, passed, real } = await runAgainst(silence, argv);
      // Nothing happened, or nobody can know.
      expect([8, 9, 75], stderr).toContain(code);
      expect(real).toBeLessThan(longestMilliseconds);
      expect(passed).toBeLessThan(longestOnClock);
    },
  );

  it.each(process.env["PROOF"] ? ["resume", "undo"] : ["undo"])(
    "[T14] [T16] voxctl runs %s ends, too, where the peer falls silent",
    async (verb) => {
      const bench = await createSocketBench([], verb === "resume" ? "built" : "main");
      const file = bench.write("contacts.csv", "first_name,phone\nAnna,+4930100001\nKarl,+4930100002\n");
      const command = ["contacts", "import", file, "--group", "Team", ...bench.settle];
      if (verb === "resume") await bench.runKilled({ write: 1 }, ...command);
      else await bench.run(...command);
      const [run] = jsonOf(await bench.run("runs", "list", "-o", "json"));
      await bench.close();
      const peer = await listenSilently("never answers", bench.port);
      try {
        const argv = ["runs", verb, run.id, "--yes", "--timeout", `${timeoutMilliseconds}ms`];
        const ran = await runMain(
          verb === "undo" ? argv : argv.filter((one) => one !== "--yes"),
          bench.surroundings,
          {
            clock: createTestClock(),
          },
        );
        expect([9, 75], ran.stderr).toContain(ran.code);
      } finally {
        await peer.close();
        await bench.remove();
      }
    },
  );

  it("is tried with every command that talks to a service", async () => {
    const { stdout } = await runMain(
      ["commands", "-o", "json"],
      createSurroundings("http://127.0.0.1:1", []),
    );
    const names = leavesOf(JSON.parse(stdout));
    expect(names.length).toBeGreaterThan(100);
    const isTried = (name: string) =>
      talking.some((argv) => argv.slice(0, name.split(" ").length).join(" ") === name);
    const isQuiet = (name: string) =>
      Object.keys(quiet).some((one) => name === one || name.startsWith(`${one} `));
    expect(names.filter((name) => !isTried(name) && !isQuiet(name))).toEqual([]);
    expect(talking.filter((argv) => !names.some((name) => argv.join(" ").startsWith(name)))).toEqual([]);
  });
});

interface Node {
  command: string;
  commands?: Node[];
}

function leavesOf({ command, commands }: Node): string[] {
  if (commands && commands.length > 0) return commands.flatMap(leavesOf);
  return [command.replace(/^voxctl /, "")];
}

async function runAgainst(silence: Silence, argv: readonly string[]) {
  const peer = await listenSilently(silence);
  const surroundings = createSurroundings(peer.origin, []);
  for (const [name, content] of Object.entries(files)) surroundings.write(name, content);
  const filled = argv.map((part) =>
    part
      .replace("{origin}", peer.origin)
      .replace(/\{([\w.]+)\}/, (_, name: string) => surroundings.path(name)),
  );
  const clock = createTestClock();
  const [begun, start] = [performance.now(), clock.now()];
  try {
    const ran = await runMain(
      [...filled, "--timeout", `${timeoutMilliseconds}ms`, "-o", "json"],
      surroundings,
      { clock },
    );
    return { ...ran, real: performance.now() - begun, passed: clock.now() - start };
  } finally {
    await peer.close();
    surroundings.remove();
  }
}

// Tests that no command waits forever for a server that never responds, sends endless 1xx responses, or sends
// one byte at a time (T16).
import { describe, expect, it } from "vitest";
import { files, id, quiet, talking } from "./commands.js";
import { parseOutput } from "./harness/bench.js";
import { createTestClock } from "./harness/clock.js";
import { runMain } from "./harness/in-process.js";
import { listenSilently, type Silence, silences } from "./harness/silent.js";
import { createSocketBench } from "./harness/sockets.js";
import { createSurroundings } from "./harness/surroundings.js";

const timeoutMilliseconds = 50;
/**
 * Longest time in milliseconds from Ctrl-C until the command ends; longer for the sample, which runs next to
 * other tests (T16).
 */
const longestAfterInterrupt = process.env["PROOF"] ? 1_000 : 5_000;
/** Longest real time of a command: four attempts, and the overhead of a busy machine. */
const longestMilliseconds = 4 * timeoutMilliseconds + 20_000;
/** A bulk run waits ten minutes for a service after it detects an outage. */
const longestOnClock = 15 * 60_000;

const cases = talking.flatMap((argv) => silences.map((silence) => [argv, silence] as const));
const sample: typeof cases = process.env["PROOF"]
  ? cases
  : [
      [["contacts", "list", "--all"], "never answers"],
      [["calls", "recording", "download", id, "--out", "{call.flac}"], "sends one byte at a time"],
      [["groups", "create", "--type", "contacts", "--name", "x"], "answers 1xx for ever"],
      [["contacts", "import", "{contacts.csv}", "--group", "Team"], "sends one byte at a time"],
    ];
const named = sample.map(([argv, silence]) => [argv.slice(0, 3).join(" "), silence, argv] as const);

describe("a server that never finishes its response", () => {
  it.each(named)("[T16] voxctl %s ends if the server %s", async (_name, silence, argv) => {
    const { code, stderr, passed, real } = await runAgainst(silence, argv);
    // The codes 8 and 9 mean no effect, and 75 an unconfirmed outcome.
    expect([8, 9, 75], stderr).toContain(code);
    expect(real).toBeLessThan(longestMilliseconds);
    expect(passed).toBeLessThan(longestOnClock);
  });

  it.each(process.env["PROOF"] ? named : named.slice(0, 3))(
    "[T16] Ctrl-C ends voxctl %s at once even if the server %s",
    async (_name, silence, argv) => {
      const { code, stderr, milliseconds } = await interruptAgainst(silence, argv);
      // The code 130 means interrupted, and 75 an unconfirmed outcome.
      expect([130, 75], stderr).toContain(code);
      expect(milliseconds).toBeLessThan(longestAfterInterrupt);
    },
  );

  it.each(process.env["PROOF"] ? ["resume", "undo"] : ["undo"])(
    "[T14] [T16] `voxctl runs` %s ends if the server stops responding",
    async (verb) => {
      const bench = await createSocketBench([], verb === "resume" ? "built" : "main");
      const file = bench.write("contacts.csv", "first_name,phone\nAnna,+4930100001\nKarl,+4930100002\n");
      const command = ["contacts", "import", file, "--group", "Team", ...bench.settle];
      if (verb === "resume") await bench.runKilled({ write: 1 }, ...command);
      else await bench.run(...command);
      const [run] = parseOutput(await bench.run("runs", "list", "-o", "json"));
      await bench.close();
      const peer = await listenSilently("never answers", bench.port);
      try {
        const argv = ["runs", verb, run.id, "--yes", "--timeout", `${timeoutMilliseconds}ms`];
        const ran = await runMain(
          verb === "undo" ? argv : argv.filter((flag) => flag !== "--yes"),
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

  // Commands without a line in commands.ts run their first example.
  it.runIf(process.env["PROOF"] !== undefined)(
    "[T16] Ctrl-C ends every command that the other tests don't cover",
    async () => {
      for (const argv of (await leaves()).filter(isUntested).map(firstExample)) {
        const { milliseconds } = await interruptAgainst("never answers", argv);
        expect(milliseconds, argv.join(" ")).toBeLessThan(longestAfterInterrupt);
      }
    },
  );

  it("the list of commands tested with a silent server names only existing commands", async () => {
    const names = (await leaves()).map(nameOf);
    expect(names.length).toBeGreaterThan(100);
    expect(talking.filter((argv) => !names.some((name) => argv.join(" ").startsWith(name)))).toEqual([]);
  });
});

interface Node {
  command: string;
  commands?: Node[];
  examples: { command: string }[];
}

async function leaves(): Promise<Node[]> {
  const nowhere = createSurroundings("http://127.0.0.1:1", []);
  const { stdout } = await runMain(["commands", "-o", "json"], nowhere);
  nowhere.remove();
  const below = (node: Node): Node[] => (node.commands?.length ? node.commands.flatMap(below) : [node]);
  return below(JSON.parse(stdout));
}

function nameOf({ command }: Node): string {
  return command.replace(/^voxctl /, "");
}

function isUntested(node: Node): boolean {
  const name = nameOf(node);
  const isTried = talking.some((argv) => argv.slice(0, name.split(" ").length).join(" ") === name);
  return (
    !isTried &&
    !Object.keys(quiet).some((quietName) => name === quietName || name.startsWith(`${quietName} `))
  );
}

function firstExample({ command, examples }: Node): string[] {
  const words = (examples[0]?.command ?? command).match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.slice(1).map((word) => word.replace(/^["']|["']$/g, ""));
}

function prepared(origin: string, argv: readonly string[]) {
  const surroundings = createSurroundings(origin, []);
  for (const [name, content] of Object.entries(files)) surroundings.write(name, content);
  const words = argv.map((part) =>
    part.replace("{origin}", origin).replace(/\{([\w.]+)\}/, (_, name: string) => surroundings.path(name)),
  );
  return { surroundings, words: [...words, "-o", "json"] };
}

async function runAgainst(silence: Silence, argv: readonly string[]) {
  const peer = await listenSilently(silence);
  const { surroundings, words } = prepared(peer.origin, argv);
  const clock = createTestClock();
  const [begun, start] = [performance.now(), clock.now()];
  try {
    const ran = await runMain([...words, timeoutFlag(argv), `${timeoutMilliseconds}ms`], surroundings, {
      clock,
    });
    return { ...ran, real: performance.now() - begun, passed: clock.now() - start };
  } finally {
    await peer.close();
    surroundings.remove();
  }
}

/** Forwardings have a field named timeout, so the global flag is renamed there. */
function timeoutFlag([noun, verb = ""]: readonly string[]): string {
  return noun === "forwardings" && ["create", "update"].includes(verb) ? "--global-timeout" : "--timeout";
}

async function interruptAgainst(silence: Silence, argv: readonly string[]) {
  const peer = await listenSilently(silence);
  const { surroundings, words } = prepared(peer.origin, argv);
  let interrupt = () => {};
  let pressed = 0;
  const press = () => {
    pressed ||= performance.now();
    interrupt();
  };
  void peer.requested.then(press);
  // If the command sends no request, Ctrl-C is sent after this time.
  const timer = setTimeout(press, 2_000);
  try {
    const ran = await runMain([...words, timeoutFlag(argv), "60s"], surroundings, {
      clock: createTestClock(),
      onStart: (interruptMain) => {
        interrupt = interruptMain;
      },
    });
    return { ...ran, milliseconds: pressed === 0 ? 0 : performance.now() - pressed };
  } finally {
    clearTimeout(timer);
    await peer.close();
    surroundings.remove();
  }
}

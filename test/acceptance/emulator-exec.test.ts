import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { createInstalledCli, readFirstLine } from "../helpers/installed-cli.js";

const isWhole = process.env["PROOF"] !== undefined;

const exec = (...more: string[]) => ["emulator", "exec", "--seed", "empty", ...more];

/** A zombie process does not count as running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : ") Z";
  return !/\) Z/.test(state);
}

const isResponding = (url: string) =>
  fetch(`${url}/api/v1/ping`).then(
    () => true,
    () => false,
  );

const endless = `
const { spawn } = require("node:child_process");
const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
console.log(JSON.stringify({ pid: process.pid, other: other.pid, url: process.env.VOXCTL_EMULATOR_URL }));
setInterval(() => {}, 1000);
`;
const stubborn = `for (const s of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(s, () => console.log("deaf to", s));${endless}`;

async function startedWith(script: string) {
  const voxctl = createInstalledCli();
  const child = voxctl.start(exec("--", process.execPath, "-e", script));
  const { pid, other: otherPid, url } = JSON.parse(await readFirstLine(child));
  expect([isRunning(pid), isRunning(otherPid), await isResponding(url)]).toEqual([true, true, true]);
  const gone = async () => {
    await expect
      .poll(() => [isRunning(pid), isRunning(otherPid)], { timeout: 15_000 })
      .toEqual([false, false]);
    await expect.poll(() => isResponding(url), { timeout: 15_000 }).toBe(false);
  };
  return { ...voxctl, child, pid, gone };
}

describe("emulator exec", () => {
  test("`emulator exec` passes flags after the program's name to the program", async () => {
    const { run } = commandLine({ env: { ...inheritedEnvironment() } });
    const ran = await run(...exec(process.execPath, "-e", "process.exit(7)"));
    expect(ran.code, ran.stderr).toBe(7);
  });

  test("`emulator exec` runs a program with its own emulator and exits with the program's code", async () => {
    const { run, data } = createInstalledCli({ VOXCTL_PROFILE: "none-such", VOXCTL_API_KEY: "foreign" });
    const script = `
      const { VOXCTL_EMULATOR_URL: url, VOXCTL_BASE_URL: base, VOXCTL_API_KEY: key } = process.env;
      fetch(base + "/groups", { headers: { authorization: "Bearer " + key } }).then(async (answer) => {
        const control = await fetch(url + "/_emulator/status", {
          headers: { authorization: "Bearer " + process.env.VOXCTL_EMULATOR_CONTROL_TOKEN },
        });
        console.log(answer.status, (await answer.json()).data.length, control.status, process.argv.slice(1).join());
        process.exitCode = 7;
      });`;
    const ended = await run(exec("--", process.execPath, "-e", script, "--", "--yes", "-o"));
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([7, "200 5 200 --yes,-o\n", ""]);
    // The server kept its state in memory, so it left only an empty directory.
    expect(readdirSync(data, { recursive: true })).toEqual(["emulators"]);
  });

  test("a voxctl command inside the program uses the emulator of `emulator exec`", async () => {
    const { run, home } = createInstalledCli();
    const bin = JSON.stringify(join(import.meta.dirname, "../../bin/voxctl.js"));
    const script = `
      const { execFileSync } = require("node:child_process");
      const ask = (...argv) => JSON.parse(execFileSync(process.execPath, [${bin}, ...argv, "-o", "json"]));
      console.log(JSON.stringify([ask("ping").service, ask("emulator", "status"), process.env.VOXCTL_BASE_URL]));`;
    const ended = await run(
      exec("--clock", "virtual", "--coverage", "rules.json", "--", process.execPath, "-e", script),
    );
    const [service, listed, base] = JSON.parse(ended.stdout);
    expect(service).toBe(base);
    expect(listed).toMatchObject({ running: true, db: ":memory:", clock: { mode: "virtual" } });
    const rules: { rule: string; state: string }[] = JSON.parse(
      readFileSync(join(home, "rules.json"), "utf8"),
    );
    expect(rules.find(({ rule }) => rule === "public.endpoints.ping")?.state).toBe("met");
  });

  // Only Linux has /dev/full.
  test.skipIf(process.platform !== "linux")(
    "a failed program keeps its exit code if the coverage file can't be written",
    async () => {
      const { run } = commandLine({ env: { ...inheritedEnvironment() } });
      const ends = (code: number) =>
        run(...exec("--coverage", "/dev/full", "--", process.execPath, "-e", `process.exit(${code})`));
      const message = "--coverage: /dev/full can't be written: no space left on the disk";
      expect(await ends(3)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`warning: ${message}`),
      });
      expect(await ends(0)).toMatchObject({ code: 9, stderr: expect.stringContaining(`error: ${message}`) });
    },
  );

  test("without --force, `emulator exec` overwrites only coverage files", async () => {
    const { command, home } = createInstalledCli();
    const file = join(home, "rules.json");
    const cover = (...flags: string[]) =>
      command(exec("--coverage", "rules.json", ...flags, "--", process.execPath, "-e", ""));
    writeFileSync(file, "precious");
    const refused = await cover();
    expect([refused.code, refused.stderr]).toEqual([
      12,
      expect.stringContaining("to replace the file, use --force"),
    ]);
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect((await cover("--force")).code).toBe(0);
    expect((await cover()).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8")).length).toBeGreaterThan(10);
  });

  test("`emulator exec` runs with a warning if its data directory can't be created", async () => {
    const { home } = createInstalledCli();
    writeFileSync(join(home, "file"), "");
    const env = { VOXCTL_CONFIG_DIR: join(home, "file", "c"), VOXCTL_DATA_DIR: join(home, "file", "d") };
    const ended = await commandLine({ env }).run(...exec("--", process.execPath, "-e", ""));
    expect([ended.code, ended.stderr]).toEqual([
      0,
      "warning: other emulator commands can't find this server: a part of its path is not a directory\n",
    ]);
  });

  test("`emulator exec` exits with code 127 for a missing program, and 126 if it can't run", async () => {
    const { command } = createInstalledCli();
    for (const [program, code, message] of [
      ["no-such-program", 127, 'program "no-such-program" not found'],
      ["/", 126, "/ can't be run (EACCES)"],
    ] as const) {
      const ended = await command(exec("--", program));
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
    }
  });

  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const;
  test.each(isWhole ? signals : signals.slice(0, 1))(
    "on %s, `emulator exec` ends the program and leaves no process behind",
    async (signal, code) => {
      const { child, gone } = await startedWith(endless);
      child.kill(signal);
      const [exit] = await once(child, "exit");
      // The exit code shows which signal voxctl sent to the program: SIGTERM instead of SIGHUP.
      expect(exit).toBe(code);
      await gone();
    },
  );

  // Windows can't send a signal to a process group.
  test.skipIf(process.platform === "win32")(
    "`emulator exec` waits for a program that saves its results after a signal",
    async () => {
      const script = `
      let signals = 0;
      process.on("SIGTERM", () => {
        signals += 1;
        setTimeout(() => require("node:fs").writeFileSync("signals.txt", String(signals)), 300);
        setTimeout(() => process.exit(), 400);
      });
      setInterval(() => {}, 1000);
      console.log("ready");`;
      const voxctl = createInstalledCli();
      const child = voxctl.start(exec("--", "sh", "-c", '"$0" -e "$1"; :', process.execPath, script));
      expect(await readFirstLine(child)).toBe("ready\n");
      child.kill("SIGTERM");
      expect((await once(child, "exit"))[0]).toBe(143);
      expect(readFileSync(join(voxctl.home, "signals.txt"), "utf8")).toBe("1");
    },
  );

  test("kill -9 on `emulator exec` ends the program and its children", async () => {
    for (const script of isWhole ? [endless, stubborn] : [stubborn]) {
      const { child, gone } = await startedWith(script);
      child.kill("SIGKILL");
      await gone();
    }
  });

  test("kill -9 on `emulator exec` ends the program even before the guard process is ready", async () => {
    const voxctl = createInstalledCli();
    writeFileSync(
      join(voxctl.home, "dies.cjs"),
      `const processes = require("node:child_process");
      const { spawn } = processes;
      processes.spawn = (...words) => {
        const child = spawn(...words);
        const send = child.send?.bind(child);
        if (send) child.send = (message) => send(message, () => process.kill(process.pid, "SIGKILL"));
        return child;
      };`,
    );
    const program = [process.execPath, "-e", "setTimeout(() => console.log('not ended'), 10_000)"];
    const env = { NODE_OPTIONS: `--require ${join(voxctl.home, "dies.cjs")}` };
    const child = voxctl.start(exec("--", ...program), env);
    // The program inherits stdout, which is open until the program ends.
    const [[, signal], printed] = await Promise.all([once(child, "exit"), text(child.stdout)]);
    expect([signal, printed]).toEqual(["SIGKILL", ""]);
  });

  // The test reads process groups and parent processes from /proc, which only Linux has.
  test.runIf(process.platform === "linux")(
    "the three processes of `emulator exec` have separate process groups",
    async () => {
      const { child, pid, gone } = await startedWith(endless);
      const statusOf = (of: number) => {
        const [, parent, group] = (readFileSync(`/proc/${of}/stat`, "utf8").split(") ")[1] ?? "").split(" ");
        return { parent: Number(parent), group: Number(group) };
      };
      const watcher = statusOf(pid).parent;
      const groups = [child.pid ?? 0, watcher, pid].map((of) => statusOf(of).group);
      expect(new Set(groups).size).toBe(3);
      process.kill(watcher, "SIGKILL");
      expect((await once(child, "exit"))[0]).toBe(137);
      await gone();
    },
  );

  test("if the program is killed, `emulator exec` ends its server and its children", async () => {
    const { child, pid, gone } = await startedWith(endless);
    process.kill(pid, "SIGKILL");
    expect((await once(child, "exit"))[0]).toBe(137);
    await gone();
  });

  test("`emulator exec` ends processes that the program leaves behind", async () => {
    const { run } = createInstalledCli();
    const script = `${endless.replace("setInterval(() => {}, 1000);\n", "")}other.unref(); process.exitCode = 3;`;
    const ended = await run(exec("--", process.execPath, "-e", script));
    expect(ended.code).toBe(3);
    expect(isRunning(JSON.parse(ended.stdout).other)).toBe(false);
  });

  test("a second Ctrl-C still lets the program clean up", async () => {
    const script = `
      process.on("SIGINT", () => {
        console.log("cleaning up");
        process.stdin.on("data", () => process.exit(5)).on("end", () => process.exit(6));
      });
      setInterval(() => {}, 1000);
      console.log("ready");`;
    const voxctl = createInstalledCli();
    const child = voxctl.start(exec("--", process.execPath, "-e", script));
    expect(await readFirstLine(child)).toBe("ready\n");
    child.kill("SIGINT");
    expect(await readFirstLine(child)).toBe("cleaning up\n");
    child.kill("SIGINT");
    expect(String((await once(child.stderr, "data"))[0])).toContain("Waiting for the program to end.");
    child.stdin.write("done\n");
    expect((await once(child, "exit"))[0]).toBe(5);
  });

  test("`emulator exec` adds the emulator's address to the program's NO_PROXY", async () => {
    const { run } = createInstalledCli({
      HTTP_PROXY: "http://proxy.example:3128",
      NO_PROXY: "internal.example",
    });
    const script = "console.log(process.env.NO_PROXY, process.env.no_proxy)";
    const ended = await run(exec("--", process.execPath, "-e", script));
    expect(ended.stdout).toBe("internal.example,127.0.0.1 internal.example,127.0.0.1\n");
  });

  test("the third Ctrl-C ends a program of `emulator exec` that ignores Ctrl-C", async () => {
    const { child, gone } = await startedWith(stubborn);
    const output = text(child.stderr);
    child.kill("SIGINT");
    // A program may receive two simultaneous signals as one.
    expect(await readFirstLine(child)).toBe("deaf to SIGINT\n");
    const warned = once(child.stderr, "data");
    child.kill("SIGINT");
    await warned;
    child.kill("SIGINT");
    expect((await once(child, "exit"))[0]).toBe(130);
    await gone();
    expect(await output).not.toContain("error:");
  });
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { createInstalledCli, readFirstLine } from "../helpers/installed-cli.js";
import { findMissingPrograms } from "./programs.js";

let missing: string | undefined;
beforeAll(() => {
  missing = findMissingPrograms("dbus-run-session", "gnome-keyring-daemon", "secret-tool");
});

const key = "s3cret-key-of-a-keychain";
const address = ["--no-check", "--url", "http://127.0.0.1:9/api/v1"];

/** Starts a desktop session with GNOME's keyring as its Secret Service. The keyring is unlocked. */
async function desktop() {
  const home = temporaryFolder();
  const runtime = join(home, "run");
  mkdirSync(runtime, { mode: 0o700 });
  const script = join(home, "session.sh");
  writeFileSync(
    script,
    `printf hush | gnome-keyring-daemon --foreground --unlock --components=secrets > /dev/null 2>&1 &
daemon=$!
# A client that connects before the service runs makes the bus start another one, whose keyring stays locked.
named() { dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets; }
until named 2> /dev/null | grep -q true; do sleep 0.1; done
until printf x | secret-tool store --label=ready test ready 2> /dev/null && secret-tool clear test ready; do sleep 0.1; done
echo "$DBUS_SESSION_BUS_ADDRESS $daemon"
read -r _
kill -CONT $daemon
kill $daemon
`,
  );
  const env = { ...inheritedEnvironment(), HOME: home, XDG_RUNTIME_DIR: runtime };
  const child = spawn("dbus-run-session", ["--", "sh", script], { env, stdio: "pipe" });
  onTestFinished(async () => {
    const gone = once(child, "exit");
    child.stdin.end();
    await gone;
  });
  const [bus = "", daemon = ""] = (await readFirstLine(child)).trim().split(" ");
  const shell = createInstalledCli({ DBUS_SESSION_BUS_ADDRESS: bus, XDG_RUNTIME_DIR: runtime });
  const kept = () =>
    spawnSync("secret-tool", ["search", "--all", "service", "voxctl"], {
      env: { ...env, DBUS_SESSION_BUS_ADDRESS: bus },
      encoding: "utf8",
    }).stdout;
  const file = () => readFileSync(join(shell.home, "config", "config.json"), "utf8");
  return { ...shell, kept, file, daemon: Number(daemon) };
}

test("a real Secret Service stores and deletes a key", async () => {
  expect(missing).toBeUndefined();
  const { run, kept, file } = await desktop();
  const added = await run(["profiles", "add", "acme", ...address, "--key-stdin"], { stdin: key });
  expect(added.stderr).toBe("acme is now the default. To switch back, run `voxctl profiles use offline`.\n");
  expect(JSON.parse(added.stdout).apis.public.key).toBe("keychain");
  expect(file()).not.toContain(key);
  expect(kept()).toContain(`secret = ${key}`);
  // Exit code 9 shows that voxctl read the key: no server listens at the profile's URL.
  const ran = await run(["ping", "--max-wait", "1s"]);
  expect(ran.code).toBe(9);
  expect(ran.stderr).not.toContain(key);
  expect((await run(["profiles", "remove", "acme", "--yes"])).code).toBe(0);
  expect(kept()).toBe("");
});

test("voxctl gives up on a silent Secret Service after 3 s and stores the key in a file", async () => {
  expect(missing).toBeUndefined();
  const { run, home, file, daemon } = await desktop();
  process.kill(daemon, "SIGSTOP");
  const begun = performance.now();
  const added = await run(["profiles", "add", "acme", ...address, "--key-stdin"], { stdin: key });
  const seconds = (performance.now() - begun) / 1_000;
  expect(added.code).toBe(0);
  expect(added.stderr).toMatch(
    /^No keychain is available: storing the key in .*config\.json, which only you can read\n/,
  );
  expect(seconds).toBeGreaterThan(1);
  // Without voxctl's own timeout, the bus would time out after 25 s.
  expect(seconds).toBeLessThan(20);
  expect(file()).toContain(key);
  expect(statSync(join(home, "config", "config.json")).mode & 0o777).toBe(0o600);
  // A second command for another API of the profile does not repeat the message.
  const more = ["--no-check", "--api", "distributor-v1", "--url", "http://127.0.0.1:9/api/distributor/v1"];
  const second = await run(["profiles", "add", "acme", ...more, "--key-stdin"], { stdin: key });
  expect(second.stderr).not.toContain("No keychain");
});

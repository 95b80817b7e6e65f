// npm's `prepare` script, which builds voxctl. `npm install --global .` links this directory without
// installing dependencies. This script therefore installs missing dependencies before the build.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

if (!existsSync(`${root}node_modules/rolldown`)) {
  // npm passes its own options to scripts as environment variables; this install needs the defaults.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_config_(global|prefix|omit|include|location)$/i.test(name),
    ),
  );
  const npm = process.env.npm_execpath;
  const [command, before] = npm ? [process.execPath, [npm]] : ["npm", []];
  const installed = spawnSync(command, [...before, "ci", "--ignore-scripts", "--include=dev"], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
await import("./build.mjs");

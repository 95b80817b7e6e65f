// Start-up of whole processes over bare node: `npm run bench`. Each round runs every command once, in turn, so that a
// machine whose speed drifts slows all alike; the ratio is taken round by round, and its median printed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const rounds = Number(process.argv[2] ?? 21);
const voxctl = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
const env = {
  ...process.env,
  VOXCTL_DATA_DIR: join(folder, "data"),
  VOXCTL_CONFIG_DIR: join(folder, "config"),
  CI: "true",
};

const commands = [
  { name: "node -e 0", arguments: ["-e", "0"], target: "" },
  { name: "voxctl --version", arguments: [voxctl, "--version"], target: "1.5" },
  { name: "voxctl --help", arguments: [voxctl, "--help"], target: "2" },
  {
    name: "voxctl contacts list (offline)",
    arguments: [voxctl, "contacts", "list", "--profile", "offline", "-o", "json"],
    target: "3",
  },
];

function milliseconds(command) {
  const started = process.hrtime.bigint();
  const result = spawnSync(process.execPath, command.arguments, { env, stdio: ["ignore", "ignore", "pipe"] });
  if (result.status !== 0) throw new Error(`${command.name} ended with ${result.status}: ${result.stderr}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

try {
  // Once for the world's file and the disk's cache.
  for (const command of commands) milliseconds(command);
  const times = commands.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, command] of commands.entries()) times[index].push(milliseconds(command));
  }
  console.log(
    `node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${rounds} rounds\n`,
  );
  console.log("| command | median, ms | over bare node | at most |\n|---|---:|---:|---:|");
  for (const [index, command] of commands.entries()) {
    const ratios = times[index].map((time, round) => time / times[0][round]);
    console.log(
      `| \`${command.name}\` | ${median(times[index]).toFixed(0)} | ${median(ratios).toFixed(2)} | ${command.target} |`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

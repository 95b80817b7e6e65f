import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

/** Returns the environment of a new user, except that compiled code is kept between starts. */
function freshHome(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: folder,
    XDG_CACHE_HOME: tmpdir(),
    VOXCTL_DATA_DIR: join(folder, "data"),
    VOXCTL_CONFIG_DIR: join(folder, "config"),
  };
}

it("the README shows the output of `voxctl demo`", () => {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-readme-"));
  try {
    const printed = execFileSync(process.execPath, [join(root, "bin/voxctl.js"), "demo"], {
      env: freshHome(folder),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const excerpt = /\$ voxctl demo\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
    const parts = excerpt.split("…\n").map((part) => part.trim());
    expect(parts.length).toBe(2);
    const positions = parts.map((part) => printed.indexOf(part));
    expect(positions.every((position) => position >= 0)).toBe(true);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    // Only compiled code remains, in the user's cache directory.
    expect(readdirSync(folder).filter((name) => name !== ".cache")).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("the README's rehearsal commands work in a new installation", () => {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-readme-"));
  try {
    const commands =
      /## Rehearse a change[\s\S]*?```sh foreign\n([\s\S]*?)```/.exec(readme)?.[1]?.trim() ?? "";
    const printed = commands.split("\n").map((command) => {
      const words = command.split(" ").slice(1);
      const options = { cwd: folder, env: freshHome(folder), encoding: "utf8" } as const;
      return execFileSync(process.execPath, [join(root, "bin/voxctl.js"), ...words], options);
    });
    expect(printed).toHaveLength(4);
    expect(JSON.parse(printed[3] ?? "")).toMatchObject({ deleted: 1, steps: { done: 1 } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("the README contains its two main commands unchanged", () => {
  expect(readme).toContain("\n    npm ci && npm run demo\n");
  expect(readme).toContain("\n    npm ci && npm test\n");
});

it("the JavaScript of the README runs unchanged", async () => {
  const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const printed = execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      code.replace('"voxctl/emulator"', JSON.stringify(join(root, "dist/emulator.js"))),
    ],
    {
      encoding: "utf8",
    },
  );
  expect(printed).toContain("first_name");
});

it("every link between documents has an existing target", () => {
  const documents = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];
  const broken = documents.flatMap((document) =>
    [...readFileSync(join(root, document), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g)]
      .map((match) => join(dirname(document), match[1] ?? ""))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${document}: ${target}`),
  );
  expect(broken).toEqual([]);
});

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");

const Versions = z.record(z.string(), z.string()).default({});
const manifest = z
  .looseObject({ dependencies: Versions, devDependencies: Versions, optionalDependencies: Versions })
  .parse(JSON.parse(read("package.json")));
const lock = z
  .looseObject({
    packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })),
  })
  .parse(JSON.parse(read("package-lock.json")));
const page = read("docs/dependencies.md");

const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
const installed = Object.keys(lock.packages).filter((path) => path !== "");
/** `node_modules/a/node_modules/@b/c` → `@b/c` */
const nameOf = (path: string) => path.split("node_modules/").at(-1) ?? path;

describe("the dependencies", () => {
  it("dependencies are pinned to exact versions", () => {
    const exact = /^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/;
    expect(Object.entries(direct).filter(([, version]) => !exact.test(version))).toEqual([]);
  });

  it("docs/dependencies.md explains exactly the direct dependencies", () => {
    const rows = [...page.matchAll(/^\| ((?:`[^`|]+`(?:, )?)+) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    );
    const explained = rows.filter((name) => !name.startsWith("npm "));
    expect(explained.toSorted()).toEqual(
      Object.keys(direct)
        .filter((name) => !name.startsWith("@types/"))
        .toSorted(),
    );
  });

  it("at most 345 packages are installed, none of them for telemetry", () => {
    expect(installed.filter((path) => /scarf|telemetry|analytics|swagger/i.test(path))).toEqual([]);
    expect(installed.length).toBeLessThanOrEqual(345);
  });

  it("docs/dependencies.md lists every package whose install script is run", () => {
    const scripts = installed.filter((path) => lock.packages[path]?.hasInstallScript).map(nameOf);
    expect(scripts.toSorted()).toEqual(["@photostructure/sqlite", "esbuild"]);
    const section = /## Downloads and install scripts\n([\s\S]*?)\n## /.exec(page)?.[1] ?? "";
    for (const name of scripts) expect(section).toContain(`\`${name}\``);
  });

  it("the lock file contains no registry URLs", () => {
    expect(read("package-lock.json")).not.toMatch(/"resolved"|registry/);
  });
});

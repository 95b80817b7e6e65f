import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { tarGz, zip } from "../../scripts/release/archive.js";
import { checksumsText, readChecksums, sha256 } from "../../scripts/release/checksums.js";
import { containerDockerfile } from "../../scripts/release/container.js";
import { packageManifests } from "../../scripts/release/manifests.js";
import { findFormer, replaceFiles } from "../../scripts/release/output.js";
import { packedDocument, packedManifest } from "../../scripts/release/package.js";
import { buildSbom } from "../../scripts/release/sbom.js";
import { notesOf, releasedChangelog, withVersion } from "../../scripts/release/version.js";

const changelog =
  "# Changelog\n\n## 1.2.0 — unreleased\n\n- New: a thing.\n\n## 1.1.0 — 2026-01-02\n\n- Old.\n";

describe("the version of a release", () => {
  it("a release dates the changelog's newest section and uses its text as release notes", () => {
    const released = releasedChangelog(changelog, "1.2.0", "2026-11-22");
    expect(released).toBe(changelog.replace("unreleased", "2026-11-22"));
    expect(notesOf(released, "1.2.0")).toBe("- New: a thing.");
    expect(notesOf(released, "1.3.0")).toBe("");
  });

  it("a release is refused if its changelog section is empty, already released or missing", () => {
    expect(() => releasedChangelog(changelog, "1.3.0", "2026-11-22")).toThrow(
      'expected "## 1.3.0 — unreleased"',
    );
    const dated = releasedChangelog(changelog, "1.2.0", "2026-11-22");
    expect(() => releasedChangelog(dated, "1.2.0", "2026-11-23")).toThrow("was already released: 2026-11-22");
    const empty = changelog.replace("- New: a thing.\n", "");
    expect(() => releasedChangelog(empty, "1.2.0", "2026-11-22")).toThrow("the section for 1.2.0 is empty");
  });

  it("a release sets the version, but never lowers it", () => {
    const lock = JSON.stringify({ name: "x", version: "1.1.0", packages: { "": { version: "1.1.0" } } });
    expect(JSON.parse(withVersion(lock, "1.2.0-rc.1"))).toEqual({
      name: "x",
      version: "1.2.0-rc.1",
      packages: { "": { version: "1.2.0-rc.1" } },
    });
    const at = (version: string) => JSON.stringify({ version });
    expect(JSON.parse(withVersion(at("1.2.0-rc.9"), "1.2.0-rc.10")).version).toBe("1.2.0-rc.10");
    expect(JSON.parse(withVersion(at("1.2.0-rc.2"), "1.2.0")).version).toBe("1.2.0");
    expect(() => withVersion(at("1.2.0"), "1.2.0-rc.2")).toThrow("is below 1.2.0");
    expect(() => withVersion(at("1.10.0"), "1.9.0")).toThrow("is below 1.10.0");
    expect(() => withVersion(at("1.2.0"), "v1.3")).toThrow("invalid version");
  });

  it("setting the current version leaves package.json and the lock file unchanged", () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const read = (name: string) => readFileSync(join(root, name), "utf8");
    const { version } = JSON.parse(read("package.json"));
    for (const name of ["package.json", "package-lock.json"])
      expect(withVersion(read(name), version)).toBe(read(name));
  });
});

describe("the archives of a release", () => {
  const files = [
    { name: "voxctl-1.2.0/voxctl", bytes: Buffer.alloc(1_000, "x"), isExecutable: true },
    { name: "voxctl-1.2.0/LICENSE", bytes: Buffer.from("as it is\n") },
  ];

  it("tar can read the archives of a release", () => {
    const folder = mkdtempSync(join(tmpdir(), "voxctl-archive-"));
    try {
      writeFileSync(join(folder, "a.tar.gz"), tarGz(files));
      execFileSync("tar", ["-xzf", "a.tar.gz"], { cwd: folder });
      for (const { name, bytes } of files) expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true);
      expect(statSync(join(folder, "voxctl-1.2.0/voxctl")).mode & 0o111).toBe(0o111);
      expect(statSync(join(folder, "voxctl-1.2.0/LICENSE")).mode & 0o111).toBe(0);
      expect(sha256(tarGz(files))).toBe(sha256(tarGz(files)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("an archive refuses a name that tar would truncate", () => {
    expect(() => tarGz([{ name: "ä".repeat(51), bytes: Buffer.alloc(0) }])).toThrow("too long");
  });

  it("the archives for Windows are zip files", async () => {
    const bytes = Buffer.from(await zip(files));
    expect(bytes.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
    expect(sha256(bytes)).toBe(sha256(await zip(files)));
  });
});

describe("the bill of materials of a release", () => {
  const lock = {
    "": { version: "1.2.0", devDependencies: { "@a/b": "1" }, optionalDependencies: { d: "3" } },
    "node_modules/@a/b": { version: "1.0.0", license: "MIT", dependencies: { c: "2" } },
    "node_modules/@a/b/node_modules/c": { version: "2.0.0", license: "Unknown license" },
    "node_modules/c": { version: "1.0.0", license: "MIT" },
    "node_modules/d": { version: "3.0.0", license: "MIT", dependencies: { e: "1" } },
    "node_modules/e": { version: "1.0.0", license: "ISC" },
  };
  const licenses =
    "voxctl contains code of:\n\n- @a/b 1.0.0 (MIT)\n- c 2.0.0 (see below)\n- jq 1.8.2 (MIT)\n\n- not a line\n";
  const timestamp = "2026-11-22T00:00:00.000Z";
  const build = () =>
    buildSbom(
      { name: "voxctl", version: "1.2.0", license: "MIT" },
      { licenses, installed: ["d"], lock, timestamp },
    );
  const bill = JSON.parse(build());

  it("the bill of materials lists bundled and installed packages", () => {
    expect(bill.metadata).toMatchObject({ timestamp, component: { purl: "pkg:npm/voxctl@1.2.0" } });
    const listed = bill.components.map(
      ({ purl, licenses: [used], scope }: Record<string, string> & { licenses: unknown[] }) => [
        purl,
        used,
        scope,
      ],
    );
    expect(listed).toEqual([
      ["pkg:npm/%40a/b@1.0.0", { expression: "MIT" }, undefined],
      ["pkg:npm/c@2.0.0", { license: { name: "see below" } }, undefined],
      ["pkg:github/jqlang/jq@jq-1.8.2", { expression: "MIT" }, undefined],
      ["pkg:npm/d@3.0.0", { expression: "MIT" }, "optional"],
      ["pkg:npm/e@1.0.0", { expression: "ISC" }, "optional"],
    ]);
  });

  it("the bill of materials states what each component depends on", () => {
    const graph = bill.dependencies.map((entry: { ref: string; dependsOn: string[] }) => [
      entry.ref,
      entry.dependsOn,
    ]);
    expect(graph).toEqual([
      ["pkg:npm/voxctl@1.2.0", ["pkg:npm/%40a/b@1.0.0", "pkg:npm/d@3.0.0", "pkg:github/jqlang/jq@jq-1.8.2"]],
      ["pkg:npm/%40a/b@1.0.0", ["pkg:npm/c@2.0.0"]],
      ["pkg:npm/c@2.0.0", []],
      ["pkg:github/jqlang/jq@jq-1.8.2", []],
      ["pkg:npm/d@3.0.0", ["pkg:npm/e@1.0.0"]],
      ["pkg:npm/e@1.0.0", []],
    ]);
  });

  it("the bill of materials is reproducible", () => {
    expect(build()).toBe(build());
    expect(bill.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

describe("the directory of a release", () => {
  const inFolder = (check: (folder: string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), "voxctl-output-"));
    try {
      check(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it("a release refuses a directory that contains unrelated files", () => {
    inFolder((folder) => {
      expect(findFormer(join(folder, "new"), [])).toEqual([]);
      expect(findFormer(folder, [])).toEqual([]);
      writeFileSync(join(folder, "NOTES.md"), "mine");
      expect(() => findFormer(folder, [])).toThrow("contains NOTES.md, which is not from a release");
      writeFileSync(join(folder, "SHA256SUMS"), checksumsText(new Map([["a.tgz", "1".repeat(64)]])));
      writeFileSync(join(folder, "a.tgz"), "");
      expect(findFormer(folder, [])).toEqual(["NOTES.md", "SHA256SUMS", "a.tgz"]);
      writeFileSync(join(folder, "b.zip"), "");
      expect(() => findFormer(folder, ["b.zip"])).toThrow("contains b.zip, which is not from a release");
      expect(findFormer(folder, [join(folder, "b.zip")])).toContain("b.zip");
    });
  });

  it("a release replaces the files of an earlier one", () => {
    inFolder((folder) => {
      const [output, draft] = [join(folder, "output"), join(folder, "draft")];
      for (const [directory, name] of [
        [output, "old"],
        [draft, "new"],
      ] as const) {
        mkdirSync(join(directory, "homebrew"), { recursive: true });
        writeFileSync(join(directory, "homebrew", name), "");
      }
      replaceFiles(output, ["homebrew"], draft);
      expect(readdirSync(join(output, "homebrew"))).toEqual(["new"]);
    });
  });
});

describe("the package of a release", () => {
  it("a packed document has no links to files that are not in the package", () => {
    const text = "[a](b.md#c), [d\ne](../README.md), [f](https://g.example)\n\n![h](images/i.png)\n";
    const missing = ["docs/b.md", "docs/images/i.png"];
    expect(packedDocument("docs/README.md", text, (path) => missing.includes(path))).toBe(
      "a, [d\ne](../README.md), [f](https://g.example)\n\nDocuments without a link are only in voxctl's repository.\n",
    );
    expect(packedDocument("docs/README.md", text, () => false)).toBe(text);
  });

  it("a packed package.json has no scripts", () => {
    const manifest = { name: "x", scripts: { prepare: "y" }, devDependencies: {}, optionalDependencies: {} };
    expect(JSON.parse(packedManifest(JSON.stringify(manifest)))).toEqual({
      name: "x",
      optionalDependencies: {},
    });
  });
});

describe("the container build context of a release", () => {
  it("the container image is built from the package, without a checkout", () => {
    const own = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8");
    const text = containerDockerfile(own, "voxctl-1.2.0.tgz");
    expect(text).toMatch(/^FROM node:24-slim\nCOPY voxctl-1\.2\.0\.tgz \/packed\/\n/);
    expect(text.match(/^FROM /gm)).toHaveLength(1);
    // With --global, npm would install the optional packages.
    expect(text).toMatch(/npm install --prefix \S+ --omit=optional/);
    expect(text).toContain('ENTRYPOINT ["voxctl", "emulator", "start"');
  });

  it("the container image requires a Dockerfile stage that installs the package", () => {
    expect(() => containerDockerfile("FROM scratch\n", "a.tgz")).toThrow("stages have changed");
  });
});

describe("the manifests of a release", () => {
  const sums = ["1.2.0.tgz", "1.2.0-linux-x64.tar.gz", "1.2.0-win-x64.zip"].map(
    (name, at): [string, string] => [`voxctl-${name}`, String(at + 1).repeat(64)],
  );
  const release = {
    version: "1.2.0",
    baseUrl: "https://files.example/voxctl/1.2.0",
    homepage: "https://example/voxctl",
    publisher: "Example",
    description: "The command line of a service: contacts, and more.",
    license: "MIT",
    checksums: readChecksums(checksumsText(new Map(sums))),
  };

  it("the checksums of a release have the format of sha256sum", () => {
    expect([...release.checksums]).toHaveLength(3);
    expect(readChecksums(`${"a".repeat(64)} *voxctl.zip\r\n`).get("voxctl.zip")).toBe("a".repeat(64));
    expect(() => readChecksums("voxctl.zip: 12\n")).toThrow("invalid line of SHA256SUMS");
  });

  it("the Homebrew formula has the npm package's URL and checksum", () => {
    const formula = packageManifests(release).get("homebrew/voxctl.rb") ?? "";
    expect(formula).toContain('url "https://files.example/voxctl/1.2.0/voxctl-1.2.0.tgz"');
    expect(formula).toContain(`sha256 "${"1".repeat(64)}"`);
    expect(formula).toContain('desc "Command line of a service"');
    expect(formula).toContain("completions/voxctl.fish");
    expect(formula.match(/\b(?:def|do|class)\b/g)).toHaveLength(formula.match(/\bend\b/g)?.length ?? 0);
  });

  it("the Homebrew formula escapes text that Ruby would evaluate", () => {
    const evil = { ...release, homepage: 'https://example/"; #{system "x"}\\' };
    expect(packageManifests(evil).get("homebrew/voxctl.rb")).toContain(
      'homepage "https://example/\\"; \\#{system \\"x\\"}\\\\"',
    );
  });

  it("the Scoop manifest has the URL and checksum of the archive for Windows", () => {
    expect(JSON.parse(packageManifests(release).get("scoop/voxctl.json") ?? "")).toMatchObject({
      version: "1.2.0",
      license: "MIT",
      bin: "voxctl.exe",
      architecture: {
        "64bit": {
          url: "https://files.example/voxctl/1.2.0/voxctl-1.2.0-win-x64.zip",
          hash: "3".repeat(64),
          extract_dir: "voxctl-1.2.0-win-x64",
        },
      },
    });
  });

  it("the three files for winget have the same package and version", () => {
    const texts = [...packageManifests(release)].filter(([name]) => name.startsWith("winget/"));
    expect(texts.map(([name]) => name)).toEqual([
      "winget/Example.voxctl.yaml",
      "winget/Example.voxctl.installer.yaml",
      "winget/Example.voxctl.locale.en-US.yaml",
    ]);
    const [version, installer, locale] = texts.map(([, text]) => parse(text));
    for (const manifest of [version, installer, locale])
      expect(manifest).toMatchObject({ PackageIdentifier: "Example.voxctl", PackageVersion: "1.2.0" });
    expect(installer.NestedInstallerFiles).toEqual([
      { RelativeFilePath: "voxctl-1.2.0-win-x64\\voxctl.exe", PortableCommandAlias: "voxctl" },
    ]);
    expect(installer.Installers[0].InstallerSha256).toBe("3".repeat(64));
    expect(locale).toMatchObject({ ManifestType: "defaultLocale", License: "MIT" });
  });

  it("the manifests omit Windows if its archive is missing", () => {
    const linux = new Map([...release.checksums].filter(([name]) => !name.endsWith(".zip")));
    expect([...packageManifests({ ...release, checksums: linux }).keys()]).toEqual(["homebrew/voxctl.rb"]);
  });

  it("no manifests are created if the package is missing", () => {
    expect(() => packageManifests({ ...release, checksums: new Map() })).toThrow(
      "no checksum for voxctl-1.2.0.tgz",
    );
  });
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { tarGz, zip } from "../../scripts/release/archive.js";
import { checksumsText, readChecksums, sha256 } from "../../scripts/release/checksums.js";
import { containerDockerfile } from "../../scripts/release/container.js";
import { packageManifests } from "../../scripts/release/manifests.js";
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

  it("the version of a release is set in package.json and the lock file, and never lowered", () => {
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

  it("the version of a release can be set in this project's own files", () => {
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

  it("tar can read the archives of a release, which are reproducible", () => {
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
  it("the bill of materials lists the product, bundled libraries, licenses and npm packages", () => {
    const licenses =
      "voxctl contains code of:\n\n- @a/b 1.0.0 (MIT)\n- c 2.0.0 (see below)\n\n- not a line\n";
    const product = {
      name: "voxctl",
      version: "1.2.0",
      license: "MIT",
      optionalDependencies: { d: "3.0.0" },
    };
    const { metadata, components } = JSON.parse(buildSbom(product, licenses));
    expect(metadata.component).toMatchObject({ type: "application", purl: "pkg:npm/voxctl@1.2.0" });
    const library = { type: "library" };
    expect(components).toEqual([
      {
        ...library,
        name: "@a/b",
        version: "1.0.0",
        purl: "pkg:npm/%40a/b@1.0.0",
        licenses: [{ expression: "MIT" }],
      },
      {
        ...library,
        name: "c",
        version: "2.0.0",
        purl: "pkg:npm/c@2.0.0",
        licenses: [{ license: { name: "see below" } }],
      },
      { ...library, name: "d", version: "3.0.0", purl: "pkg:npm/d@3.0.0", scope: "optional" },
    ]);
  });
});

describe("the container context of a release", () => {
  it("the container image is built from the package, without a checkout", () => {
    const own = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8");
    const text = containerDockerfile(own, "voxctl-1.2.0.tgz");
    expect(text).toMatch(/^FROM node:24-slim\nCOPY voxctl-1\.2\.0\.tgz \/packed\/\n/);
    expect(text.match(/^FROM /gm)).toHaveLength(1);
    expect(text).toContain('ENTRYPOINT ["voxctl", "emulator", "start"');
  });

  it("the container context is refused if no stage of the Dockerfile installs the package", () => {
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

  it("the Homebrew formula installs the npm package by its checksum, with completions", () => {
    const formula = packageManifests(release).get("homebrew/voxctl.rb") ?? "";
    expect(formula).toContain('url "https://files.example/voxctl/1.2.0/voxctl-1.2.0.tgz"');
    expect(formula).toContain(`sha256 "${"1".repeat(64)}"`);
    expect(formula).toContain('desc "Command line of a service"');
    expect(formula).toContain("completions/voxctl.fish");
    expect(formula.match(/\b(?:def|do|class)\b/g)).toHaveLength(formula.match(/\bend\b/g)?.length ?? 0);
  });

  it("the Homebrew formula contains no text that Ruby evaluates", () => {
    const evil = { ...release, homepage: 'https://example/"; #{system "x"}\\' };
    expect(packageManifests(evil).get("homebrew/voxctl.rb")).toContain(
      'homepage "https://example/\\"; \\#{system \\"x\\"}\\\\"',
    );
  });

  it("the Scoop manifest unpacks the archive for Windows by its checksum", () => {
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

  it("three files for winget have the same package and version", () => {
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

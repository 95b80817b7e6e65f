import { stringify } from "yaml";
import type { Checksums } from "./checksums.js";

export interface Release {
  version: string;
  baseUrl: string;
  homepage: string;
  /** Publisher's name in winget. The package identifier starts with it. */
  publisher: string;
  description: string;
  license: string;
  checksums: Checksums;
}

export const archiveName = (version: string, platform: string) => `voxctl-${version}-${platform}`;

/**
 * Returns the manifests by path: the Homebrew formula and, if the release has a Windows archive, the
 * manifests for Scoop and winget.
 * @throws Error if the release has no package
 */
export function packageManifests(release: Release): Map<string, string> {
  const files = new Map([["homebrew/voxctl.rb", homebrewFormula(release)]]);
  const archive = `${archiveName(release.version, "win-x64")}.zip`;
  const sum = release.checksums.get(archive);
  if (sum === undefined) return files;
  const windows = { url: `${release.baseUrl}/${archive}`, sum };
  files.set("scoop/voxctl.json", scoopManifest(release, windows));
  for (const [name, text] of wingetManifests(release, windows)) files.set(`winget/${name}`, text);
  return files;
}

interface Archive {
  url: string;
  sum: string;
}

/** Homebrew doesn't accept binaries, so the formula installs the npm package with Homebrew's Node. */
function homebrewFormula({ version, baseUrl, homepage, description, license, checksums }: Release): string {
  const file = `voxctl-${version}.tgz`;
  const sum = checksums.get(file);
  if (sum === undefined) throw new Error(`no checksum for ${file}`);
  return `class Voxctl < Formula
  desc ${ruby(shortDescription(description))}
  homepage ${ruby(homepage)}
  url ${ruby(`${baseUrl}/${file}`)}
  sha256 ${ruby(sum)}
  license ${ruby(license)}

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    package = libexec/"lib/node_modules/voxctl"
    man1.install_symlink package.glob("dist/man/*.1")
    bash_completion.install package/"completions/voxctl.bash" => "voxctl"
    zsh_completion.install package/"completions/_voxctl"
    fish_completion.install package/"completions/voxctl.fish"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/voxctl --version").strip
    ENV["VOXCTL_CONFIG_DIR"] = ENV["VOXCTL_DATA_DIR"] = testpath.to_s
    assert_match "first_name", shell_output("#{bin}/voxctl contacts list --profile offline --limit 1 -o json")
  end
end
`;
}

function scoopManifest(release: Release, { url, sum }: Archive): string {
  const { version, homepage, description, license } = release;
  const manifest = {
    version,
    description,
    homepage,
    license,
    architecture: { "64bit": { url, hash: sum, extract_dir: archiveName(version, "win-x64") } },
    bin: "voxctl.exe",
    notes: "Completion for PowerShell: voxctl completion powershell | Out-String | Invoke-Expression",
  };
  return `${JSON.stringify(manifest, null, 4)}\n`;
}

/** winget requires three files: version, installer and description. */
function wingetManifests(release: Release, { url, sum }: Archive): Map<string, string> {
  const { version, homepage, publisher, description, license } = release;
  const identifier = `${publisher}.voxctl`;
  const common = { PackageIdentifier: identifier, PackageVersion: version };
  const manifest = (type: string, body: object) =>
    stringify({ ...common, ...body, ManifestType: type, ManifestVersion: "1.10.0" }, { lineWidth: 0 });
  return new Map([
    [`${identifier}.yaml`, manifest("version", { DefaultLocale: "en-US" })],
    [
      `${identifier}.installer.yaml`,
      manifest("installer", {
        InstallerType: "zip",
        NestedInstallerType: "portable",
        NestedInstallerFiles: [
          {
            RelativeFilePath: `${archiveName(version, "win-x64")}\\voxctl.exe`,
            PortableCommandAlias: "voxctl",
          },
        ],
        Installers: [{ Architecture: "x64", InstallerUrl: url, InstallerSha256: sum.toUpperCase() }],
      }),
    ],
    [
      `${identifier}.locale.en-US.yaml`,
      manifest("defaultLocale", {
        PackageLocale: "en-US",
        Publisher: publisher,
        PackageName: "voxctl",
        PackageUrl: homepage,
        License: license,
        ShortDescription: description,
      }),
    ],
  ]);
}

/** Shortens a description by Homebrew's rules: no article, no period, under 80 characters. */
function shortDescription(text: string): string {
  const [beginning = ""] = text.replace(/^(?:The|An?) /, "").split(/[:.]/);
  return (beginning.slice(0, 1).toUpperCase() + beginning.slice(1)).slice(0, 79);
}

function ruby(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replaceAll("#{", "\\#{")}"`;
}

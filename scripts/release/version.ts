const form = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;
/** `## 1.2.3 — 2026-11-22`, `## 1.2.3 — unreleased` */
const heading = /^## (\S+) — (.+)$/m;

/**
 * Returns the changelog with a date in its newest section.
 * @param date day of the release, such as 2026-11-22
 * @throws Error if the newest section is for another version, is already released, or is empty
 */
export function releasedChangelog(text: string, version: string, date: string): string {
  const [line = "", named, state] = heading.exec(text) ?? [];
  if (named !== version)
    throw new Error(
      `CHANGELOG.md starts with ${named ?? "no version"}: expected "## ${version} — unreleased"`,
    );
  if (state !== "unreleased") throw new Error(`CHANGELOG.md: ${version} was already released: ${state}`);
  if (notesOf(text, version) === "") throw new Error(`CHANGELOG.md: the section for ${version} is empty`);
  return text.replace(line, `## ${version} — ${date}`);
}

/** Returns a version's section in the changelog, without its heading; empty if the changelog has no such section. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => heading.exec(text)?.[1] === version) ?? "";
  return section.replace(/^.*\n?/, "").trim();
}

/**
 * Returns package.json or package-lock.json with another version.
 * @throws Error for an invalid version, or a version below the current version
 */
export function withVersion(text: string, version: string): string {
  const manifest: { version: string; packages?: Record<string, { version?: string }> } = JSON.parse(text);
  if (!form.test(version)) throw new Error(`invalid version ${version}: expected 1.2.3 or 1.2.3-rc.1`);
  if (isBelow(version, manifest.version)) throw new Error(`${version} is below ${manifest.version}`);
  manifest.version = version;
  const self = manifest.packages?.[""];
  if (self !== undefined) self.version = version;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function isBelow(version: string, limit: string): boolean {
  const [, ...a] = form.exec(version) ?? [];
  const [, ...b] = form.exec(limit) ?? [];
  for (const at of [0, 1, 2]) {
    const difference = Number(a[at]) - Number(b[at]);
    if (difference !== 0) return difference < 0;
  }
  // 1.0.0-rc.1 precedes 1.0.0.
  if (a[3] === undefined || b[3] === undefined) return a[3] !== undefined && b[3] === undefined;
  // Compare prereleases of the same version as text.
  return a[3].localeCompare(b[3], "en", { numeric: true }) < 0;
}

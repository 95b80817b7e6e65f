import { formatCount, formatThousands } from "../../../base/text.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { MirrorManifest } from "../../../contract/mirror.js";
import type { ReadEstimate } from "../index.js";

export function formatMirrorSummary(manifest: MirrorManifest): string[] {
  const { name, profile, base_url, reads, seconds } = manifest;
  const { unknown_fields: unknown, contradicted, dangling } = manifest;
  return [
    `Mirror ${name} of profile ${profile} (${base_url})`,
    `  ${formatCounts(manifest)}`,
    `${formatConsistency(manifest)}, ${formatCount(reads, "read")}, ${durationText(seconds * 1_000)}`,
    `not copied: ${formatMissing(manifest).join(", ")}`,
    ...(dangling.length === 0 ? [] : [`references to missing resources: ${formatDangling(dangling)}`]),
    ...Object.entries(unknown).map(
      ([resource, fields]) => `unknown fields: ${resource} ${fields.join(", ")}`,
    ),
    ...contradicted.map(({ decision, example }) => `contradicts assumption ${decision}: ${example}`),
    ...(manifest.pseudonymized
      ? ["pseudonymized: contacts and calls, but not the texts of knowledge items, prompts and forwardings"]
      : []),
  ];
}

function formatConsistency({ consistency, changed_in_last_pass, collected }: MirrorManifest): string {
  const [start, end] = collected.map((time) => time.slice(11, 19));
  const when = `${start} to ${end} UTC`;
  switch (consistency) {
    case "consistent":
      return `consistent (the last two passes were equal, ${when})`;
    case "equal-twice":
      return `fuzzy (the last two passes were equal, but a list was inconsistent, a record changed without a new modification time, or some records have none; ${when})`;
    default:
      return `fuzzy (${formatCount(changed_in_last_pass, "record")} changed during the last pass, ${when})`;
  }
}

function formatCounts({ counts, details }: MirrorManifest): string {
  return Object.entries(counts)
    .map(([resource, count]) => {
      const read = Object.entries(details).find(([name]) => name === resource)?.[1] ?? 0;
      const what = resource === "calls" ? "details" : "texts";
      return `${resource} ${formatThousands(count)}${read > 0 ? ` (${what} ${formatThousands(read)})` : ""}`;
    })
    .join(" · ");
}

/** The first pass of a refresh compares with the old mirror. */
export function formatChanged(pass: number, changed: number): string {
  return `${formatCount(changed, "record")} changed since the previous ${pass === 1 ? "copy" : "pass"}`;
}

const reasons: Readonly<Record<string, string>> = {
  "not-asked-for": "not requested",
  forbidden: "no permission",
  "other-groups": "in other groups",
  older: "older calls",
  subscription: "not in the subscription plan",
  "not-found": "not found in the service",
  "not-shown": "the service doesn't show unassigned licenses",
};

function formatMissing({ absent, secrets, details, counts, surface: api }: MirrorManifest): string[] {
  const areas = Object.entries(absent).map(
    ([resource, reason]) => `${resource} (${reasons[reason] ?? reason})`,
  );
  if (api === "distributor-v2")
    return [...areas, "usage", "billing", "keys and their permissions", "the organizations' contents"];
  const holders = [
    ...(secrets.webhooks > 0 ? [formatCount(secrets.webhooks, "webhook")] : []),
    ...(secrets.tools > 0 ? [formatCount(secrets.tools, "tool")] : []),
  ];
  const calls = counts.calls ?? 0;
  return [
    ...areas,
    ...(holders.length > 0 ? [`secrets of ${holders.join(" and ")}`] : []),
    ...(calls > 0 ? [(details.calls ?? 0) < calls ? "recordings and transcripts" : "recordings"] : []),
    "roles",
    "blocked numbers",
    "available numbers",
  ];
}

function formatDangling(dangling: MirrorManifest["dangling"]): string {
  const shown = dangling
    .slice(0, 3)
    .map((reference) => `${reference.resource} ${reference.id} (in ${reference.in})`);
  const more = dangling.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Formats the size and duration of a copy, such as "at least 24 reads, 4 s". */
export function formatEstimate({ at_least, reads, seconds }: Omit<ReadEstimate, "lists">): string {
  return `${at_least ? "at least" : "about"} ${formatCount(reads, "read")}, ${durationText(seconds * 1_000)}`;
}

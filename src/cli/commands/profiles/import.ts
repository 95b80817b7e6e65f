import { findFirstIssue } from "../../../base/describe-issue.js";
import { quoteWord } from "../../../base/shell-words.js";
import { inflect } from "../../../base/text.js";
import { environmentVariables } from "../../../contract/environment-variables.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import { parseAddress } from "../../profiles/address.js";
import {
  createBrokenProfileError,
  findBrokenProfile,
  getOfflineFile,
  offlineName,
} from "../../profiles/choose.js";
import {
  apiNames,
  assertWritable,
  type Configuration,
  changeConfiguration,
  readConfiguration,
  type StoredProfile,
} from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { confirmLocally } from "../../session/confirm.js";
import type { Session } from "../../session/session.js";
import {
  findDifferingParts,
  formatKeyVariable,
  hasSameDefaults,
  type SharedProfile,
  SharedProfiles,
} from "./exchange.js";
import { becomesDefault, formatDefaultNote, toProfileRow } from "./known-profiles.js";

type Named = readonly [name: string, profile: StoredProfile];

const columns = [
  { header: "NAME", value: "name", keep: true },
  { header: "TYPE", value: "type" },
];

export const importProfiles: Command = {
  name: "import",
  summary: "Import profiles from an exported file",
  description:
    "Shows the URLs of each profile. The file contains no keys. Until `voxctl profiles add` stores a key, commands read the key from the environment variable shown. Existing profiles are never changed. A profile with the same URLs is skipped. A profile with different URLs stops the import, so that no key is sent to a different URL.",
  arguments: [
    { name: "file", description: "File, or - for standard input" },
    {
      name: "name",
      description: "Import only these profiles (default: all)",
      optional: true,
      variadic: true,
    },
  ],
  confirms: true,
  confirmsLocally: true,
  examples: [
    { command: "voxctl profiles import team.yaml" },
    { command: "voxctl profiles import team.yaml acme", note: "Import only this profile" },
  ],
  async run(session, input) {
    const [file = "", ...names] = input.arguments;
    const shared = await readShared(file, session);
    await assertCountries(file === "-" ? "standard input" : file, shared);
    const configuration = await readConfiguration(session.folders);
    assertWritable(configuration, session.folders);
    const selected = selectProfiles(file, shared, names).map(
      ([name, profile]) => [name, toStoredProfile(name, profile, session)] as const,
    );
    for (const [name] of selected) {
      const broken = findBrokenProfile(configuration, name);
      if (broken !== undefined) throw createBrokenProfileError(name, broken);
    }
    const stored = assertCompatible(file, selected, configuration);
    for (const [name, profile] of selected) {
      if (stored.some(([storedName]) => storedName === name)) continue;
      const here = configuration.profiles[name];
      const own = here && !hasSameDefaults(profile, here) ? " and keeps its defaults" : "";
      session.notes.note(`skipped ${name}: the profile already exists${own}`);
    }
    if (stored.length === 0) {
      await session.output.list([], { columns });
      return;
    }
    for (const [name, profile] of stored) session.notes.note(formatProfile(name, profile));
    warnOfSharedKeys(stored, configuration, session);
    await confirmLocally(session, `Add ${inflect(stored.length, "this profile", "these profiles")}?`);
    const only = stored.length === 1 ? stored[0]?.[0] : undefined;
    const changed = await changeConfiguration(session.folders, session.clock, (current) => {
      const missing = assertCompatible(file, stored, current);
      return {
        ...current,
        ...(only !== undefined && becomesDefault(current) ? { default: only } : {}),
        profiles: { ...current.profiles, ...Object.fromEntries(missing) },
      };
    });
    const rows = stored.map(([name, profile]) => toProfileRow(name, profile, changed));
    await session.output.list(rows, { columns });
    if (stored.some(([, { kind: type }]) => type === "remote"))
      session.notes.note("To check the keys, run `voxctl doctor --profile NAME`.");
    if (only !== undefined && changed.default === only) session.notes.note(formatDefaultNote(only));
    else if (changed.default === undefined)
      session.notes.note("To set the default, run `voxctl profiles use NAME`.");
  },
};

async function readShared(file: string, session: Session): Promise<SharedProfiles> {
  const [{ readTextFile }, { parseYaml, describeYamlError }] = await Promise.all([
    import("../../session/text-source.js"),
    import("../../../base/yaml-text.js"),
  ]);
  const empty = `${file} is empty: no profiles were added`;
  let content: unknown;
  try {
    content = parseYaml(await readTextFile(file, file, session, { empty }));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`${file} is neither YAML nor JSON: ${describeYamlError(error)}`, { cause: error });
  }
  if (content === null || content === undefined)
    throw usageError(empty, {
      hint: "export a profile: `voxctl profiles export NAME > FILE`",
    });
  const parsed = SharedProfiles.safeParse(content);
  if (parsed.success) return parsed.data;
  const { path, message } = findFirstIssue(parsed.error);
  throw usageError(
    `${file === "-" ? "standard input" : file}: invalid ${path}: expected a file from \`voxctl profiles export\``,
    { hint: message },
  );
}

/** @throws usage error (2) for an invalid default country */
async function assertCountries(file: string, { profiles }: SharedProfiles): Promise<void> {
  const { isCountry } = await import("../../../features/import/contacts/numbering.js");
  for (const [name, { defaults }] of Object.entries(profiles))
    if (defaults?.country !== undefined && !(await isCountry(defaults.country)))
      throw usageError(`${file}: invalid default country "${defaults.country}" for profile "${name}"`);
}

/** @throws usage error (2) for a name that is not in the file */
function selectProfiles(file: string, { profiles }: SharedProfiles, names: readonly string[]) {
  const all = Object.entries(profiles);
  if (all.length === 0) throw usageError(`${file} contains no profiles`);
  const knownNames = all.map(([name]) => name);
  const unknown = names.find((name) => !knownNames.includes(name));
  if (unknown !== undefined)
    throw usageError(`profile "${unknown}" not found in ${file}, which contains ${knownNames.join(", ")}`);
  return names.length === 0 ? all : all.filter(([name]) => names.includes(name));
}

/** Returns the profiles that don't exist yet. @throws conflict (6) if an existing profile differs */
function assertCompatible(file: string, selected: readonly Named[], { profiles }: Configuration): Named[] {
  const exists = ([name]: Named) => name === offlineName || Object.hasOwn(profiles, name);
  const partsOf = ([name, profile]: Named) => {
    const here = profiles[name];
    if (here) return findDifferingParts(profile, here);
    // The built-in offline profile exists on every machine.
    return profile.kind === "offline" && !profile.production ? [] : ["type"];
  };
  const existing = selected.filter(exists).map((entry) => ({ name: entry[0], parts: partsOf(entry) }));
  const differing = existing.filter(({ parts }) => parts.length > 0).map(({ name }) => name);
  if (differing.length === 0) return selected.filter((entry) => !exists(entry));
  const remaining = selected.map(([name]) => name).filter((name) => !differing.includes(name));
  const removable = differing.filter((name) => name !== offlineName);
  throw new CliError({
    exit: exits.conflict,
    code: "profile_exists",
    message: `${differing.join(", ")} already ${inflect(differing.length, "exists and differs", "exist and differ")} from ${file} (${existing.flatMap(({ name, parts }) => parts.map((part) => `${name}: ${part}`)).join(", ")}); nothing was added`,
    hint: [
      ...(remaining.length > 0
        ? [
            `to import the other profiles, run \`voxctl profiles import ${quoteWord(file)} ${remaining.join(" ")}\``,
          ]
        : []),
      ...(removable.length > 0
        ? [`to remove the existing profile and its keys, run \`voxctl profiles remove ${removable[0]}\``]
        : []),
    ].join("; "),
  });
}

/** @throws usage error (2) for an invalid URL */
function toStoredProfile(name: string, profile: SharedProfile, session: Session): StoredProfile {
  const { production, defaults } = profile;
  const own = { production, ...(defaults ? { defaults } : {}) };
  if (profile.kind === "offline")
    return { kind: "offline", ...own, db: getOfflineFile(session.folders, name) };
  const apis: Extract<StoredProfile, { kind: "remote" }>["surfaces"] = {};
  for (const api of apiNames) {
    const target = profile.surfaces[api];
    if (!target) continue;
    const { url, key_env: variable, expires } = target;
    apis[api] = {
      url: parseAddress(url, api, `${api} URL of ${name}`),
      key: { from: "environment", variable: variable ?? formatKeyVariable(name, api) },
      ...(expires === undefined ? {} : { expires }),
    };
  }
  return { kind: "remote", ...own, surfaces: apis, paths: profile.paths ?? {} };
}

interface KeyUse {
  profile: string;
  variable: string;
  host: string;
}

function listKeyUses([profile, stored]: Named): KeyUse[] {
  if (stored.kind === "offline") return [];
  return apiNames.flatMap((api) => {
    const target = stored.surfaces[api];
    return target?.key.from === "environment" && URL.canParse(target.url)
      ? [{ profile, variable: target.key.variable, host: new URL(target.url).host }]
      : [];
  });
}

function listEnvironmentUses({ env }: Session["io"]): KeyUse[] {
  return Object.values(environmentVariables).flatMap(({ url, key }) => {
    const address = env[url];
    return address !== undefined && URL.canParse(address)
      ? [{ profile: url, variable: key, host: new URL(address).host }]
      : [];
  });
}

/** Warns if an imported profile would send a key from the environment to another host. */
function warnOfSharedKeys(
  added: readonly Named[],
  { profiles }: Configuration,
  { notes, io }: Pick<Session, "notes" | "io">,
): void {
  const known = [...Object.entries(profiles), ...added].flatMap(listKeyUses);
  const uses = [...listEnvironmentUses(io), ...known];
  for (const { profile, variable, host } of added.flatMap(listKeyUses)) {
    const conflictingUse = uses.find((use) => use.variable === variable && use.host !== host);
    if (conflictingUse !== undefined)
      notes.warn(
        `the key in ${variable} is used for two hosts: ${host} (${profile}) and ${conflictingUse.host} (${conflictingUse.profile})`,
      );
  }
}

function formatProfile(name: string, profile: StoredProfile): string {
  if (profile.kind === "offline") return `${name}: offline, with its own database`;
  const targets = apiNames.flatMap((api) => {
    const target = profile.surfaces[api];
    return target?.key.from === "environment"
      ? [`${api} at ${target.url}, with the key in ${target.key.variable}`]
      : [];
  });
  return `${name}${profile.production ? " (production)" : ""}: ${targets.join("; ")}`;
}

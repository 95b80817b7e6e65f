import { CliError, exits, usageError } from "../../errors/errors.js";
import { parseAddress } from "../../profiles/address.js";
import { offlineFile, offlineName, storedProfile } from "../../profiles/choose.js";
import {
  assertWritable,
  changeConfiguration,
  readConfiguration,
  type StoredProfile,
  surfaceNames,
} from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { confirmLocally } from "../../session/confirm.js";
import type { Session } from "../../session/session.js";
import { keyVariable, type SharedProfile, SharedProfiles } from "./exchange.js";
import { profileRow } from "./known-profiles.js";

/** `voxctl profiles import FILE` */
export const importProfiles: Command = {
  name: "import",
  summary: "Add the profiles of a file that profiles export wrote",
  description:
    "Where each leads is shown and confirmed. A file brings no key: each is taken from the environment variable that is named then, until voxctl profiles add stores one. A profile of the same name is never changed, so that no key goes to another address.",
  arguments: [{ name: "file", description: "the file, or - for standard input" }],
  examples: [{ command: "voxctl profiles import team.yaml" }],
  async run(session, input) {
    const file = input.arguments[0] ?? "";
    const shared = await readShared(file, session);
    const configuration = await readConfiguration(session.folders);
    await assertWritable(configuration, session.folders);
    const stored = Object.entries(shared.profiles).map(
      ([name, profile]) => [name, storedOf(name, profile, session)] as const,
    );
    if (stored.length === 0) throw usageError(`${file} holds no profile`);
    for (const [name] of stored) assertNew(name, storedProfile(configuration, name));
    for (const [name, profile] of stored) session.notes.note(lineOf(name, profile));
    await confirmLocally(session, `Add ${stored.length === 1 ? "this profile" : "these profiles"}?`);
    const changed = await changeConfiguration(session.folders, session.clock, (current) => {
      for (const [name] of stored) assertNew(name, storedProfile(current, name));
      return { ...current, profiles: { ...current.profiles, ...Object.fromEntries(stored) } };
    });
    const rows = stored.map(([name, profile]) => profileRow(name, profile, changed));
    await session.output.list(rows, {
      columns: [
        { header: "NAME", value: "name", keep: true },
        { header: "KIND", value: "kind" },
      ],
    });
    if (stored.some(([, { kind }]) => kind === "remote"))
      session.notes.note("voxctl profiles check says which keys are missing");
  },
};

async function readShared(file: string, session: Session): Promise<SharedProfiles> {
  const [{ readTextFile }, { parseYaml, describeYamlError }] = await Promise.all([
    import("../../session/text-source.js"),
    import("../../output/yaml.js"),
  ]);
  let content: unknown;
  try {
    content = parseYaml(await readTextFile(file, file, session));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`${file} is neither YAML nor JSON: ${describeYamlError(error)}`, { cause: error });
  }
  const parsed = SharedProfiles.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usageError(
    `${file}: ${issue?.path.join(".") || "its content"} is not as voxctl profiles export writes it`,
    {
      hint: issue?.message ?? "",
    },
  );
}

/** @throws conflict (6) */
function assertNew(name: string, stored: StoredProfile | undefined): void {
  if (!stored && name !== offlineName) return;
  throw new CliError({
    exit: exits.conflict,
    code: "profile_exists",
    message: `there is a profile ${name} already; nothing was added`,
    hint: `voxctl profiles remove ${name} makes room, or name the others: voxctl profiles export NAME`,
  });
}

/** @throws usage error (2) for an address that no profile may have */
function storedOf(name: string, profile: SharedProfile, session: Session): StoredProfile {
  if (profile.kind === "offline") return { ...profile, db: offlineFile(session.folders, name) };
  const surfaces: Extract<StoredProfile, { kind: "remote" }>["surfaces"] = {};
  for (const surface of surfaceNames) {
    const target = profile.surfaces[surface];
    if (!target) continue;
    const { url, key_env: variable, expires } = target;
    surfaces[surface] = {
      url: parseAddress(url, surface, `${name}, ${surface}`),
      key: { from: "environment", variable: variable ?? keyVariable(name, surface) },
      ...(expires === undefined ? {} : { expires }),
    };
  }
  const { defaults } = profile;
  return {
    kind: "remote",
    production: profile.production,
    surfaces,
    paths: profile.paths ?? {},
    ...(defaults ? { defaults } : {}),
  };
}

function lineOf(name: string, profile: StoredProfile): string {
  if (profile.kind === "offline") return `${name}: an offline world of its own`;
  const targets = surfaceNames.flatMap((surface) => {
    const target = profile.surfaces[surface];
    return target?.key.from === "environment"
      ? [`${surface} at ${target.url}, with the key in ${target.key.variable}`]
      : [];
  });
  return `${name}${profile.production ? " (production)" : ""}: ${targets.join("; ")}`;
}

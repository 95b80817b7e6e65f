/** Classifies local files by path and first bytes, and decides how they can be erased. Pure. */

/**
 * How to erase data from a file. `rows`: delete rows in an SQLite file. `lines`: delete lines in a text file.
 * `file`: delete the file, because it has no parts that can be deleted. `leave`: keep the file for the user
 * or another command.
 */
type Way = "rows" | "lines" | "file" | "leave";

export interface Area {
  name: string;
  way: Way;
  /** The user's next step for a file that is kept, unless it is in the store. */
  todo: string;
  isRun?: true;
}

/** Types of content in a store. The search reads temporary copies of the content. */
export const storedAreas = {
  run: { name: "runs in the store", way: "rows", todo: "", isRun: true },
  fleet: { name: "fleet runs in the store", way: "leave", todo: "" },
  "key map": { name: "key maps in the store", way: "rows", todo: "" },
} as const satisfies Record<string, Area>;

const area = (name: string, way: Way, todo = ""): Area => ({ name, way, todo });

/**
 * Files that are not searched separately. SQLite reads these additional files when a database is searched;
 * locks and keys contain no text.
 */
const sideFiles = /(?:-wal|-shm|-journal|\.lock|\.key)$/;

/**
 * Classifies a file by its path in the data directory. Returns undefined for a file without personal data.
 * @param profile name of the profile that this command uses
 */
export function findDataArea(path: string, profile: string): Area | undefined {
  if (sideFiles.test(path)) return undefined;
  const parts = path.split(/[\\/]/);
  const [folder = "", name = ""] = parts;
  if (parts.length === 1) return findRootArea(folder, profile);
  if (folder.startsWith("store-"))
    return area("copies of killed runs", "leave", "delete it if no run is in progress");
  switch (folder) {
    case "runs":
      if (parts.length > 2)
        return area("files of killed runs", "leave", "delete it if no run is in progress");
      if (name.endsWith(".sqlite")) return { ...area("runs", "rows"), isRun: true };
      if (name.endsWith(".report.ndjson")) return area("results files", "lines");
      return area("runs", "leave", "a run is in progress: run the command again after it ends");
    case "sync":
      if (name.endsWith(".sqlite")) return area("key maps", "rows");
      return name.endsWith(".plan") ? area("plan files", "file") : area("results files", "lines");
    case "fleet":
      if (parts.length > 3)
        return area("files of killed fleet runs", "leave", "delete it if no fleet run is in progress");
      return area("logs of fleet runs", path.endsWith(".log") ? "lines" : "file");
    case "subject":
      // A receipt contains only IDs of records.
      if (name.startsWith("receipt-")) return undefined;
      return area("plan files", "file");
    case "config":
      if (/\.plan(?:\.gz)?$/.test(name)) return area("plan files", "file");
      return area(folder, "leave", "check it manually");
    case "audit":
    case "rejects":
      // These files contain no more than IDs or hashes.
      return undefined;
    case "completion":
      return area("completion cache", "file");
    case "mirrors":
      return area("mirrors", "leave", `delete it: \`voxctl mirror delete ${name}\``);
    case "rehearsals":
    case "rehearsed":
      return area("rehearsals", "leave", "delete it if no rehearsal is in progress");
    default:
      return area(folder, "leave", "check it manually");
  }
}

function findRootArea(name: string, profile: string): Area {
  const profileName = /^(.+)\.db$/.exec(name)?.[1];
  if (profileName !== undefined) {
    const clear = `\`voxctl emulator control requests.clear --profile ${profileName}\`; or run \`voxctl emulator reset\``;
    const todo =
      profileName === profile
        ? `run ${clear}`
        : `run \`voxctl subject erase --profile ${profileName} …\`, then ${clear}`;
    return area("emulator databases", "leave", todo);
  }
  if (name === "emulator.log")
    return area("emulator log", "leave", "delete it if no emulator is running in the background");
  return area("other files", "leave", "check it manually");
}

/**
 * Classifies one of the user's own files by its first bytes. A file that only resembles one of voxctl's files
 * is kept.
 */
export function findOwnArea(beginning: string): Area {
  if (beginning.startsWith('{"plan":1,"nonce":"')) return area("plan files", "file");
  if (/^\{\s*"version": 1,\s*"at":/.test(beginning) && beginning.includes('"body_base64"'))
    return area("webhook captures", "file");
  if (beginning.startsWith('{"voxctl_state":')) return area("key maps", "lines");
  if (/^\{"row":\d+,"line":\d+,"outcome":"/.test(beginning)) return area("results files", "lines");
  return area("your own files", "leave", "edit it manually, because voxctl did not create it");
}

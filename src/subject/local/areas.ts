/** Judges what a file of this machine is and what may be done to it, purely by its place and its beginning. */

/**
 * `rows`: rows of an SQLite file are deleted; `lines`: lines of a text; `file`: the file is deleted, since a part of it
 * can't be; `leave`: a person or another command does it.
 */
type Way = "rows" | "lines" | "file" | "leave";

export interface Area {
  name: string;
  way: Way;
  /** The advice what to do, where it is left. */
  todo: string;
}

const area = (name: string, way: Way, todo = ""): Area => ({ name, way, todo });

/** Files that SQLite keeps beside a database, locks and keys: parts of others, or without a text. */
const sideFiles = /(?:-wal|-shm|-journal|\.lock|\.key)$/;

/** @returns undefined for what is no file of its own */
export function findDataArea(path: string): Area | undefined {
  if (sideFiles.test(path)) return undefined;
  const parts = path.split(/[\\/]/);
  const [folder = "", name = ""] = parts;
  if (parts.length === 1) return findRootArea(folder);
  switch (folder) {
    case "runs":
      if (parts.length > 2)
        return area(
          "leftovers of runs",
          "leave",
          "a run that was killed left it: delete it where none is under way",
        );
      if (name.endsWith(".sqlite")) return area("runs", "rows");
      if (name.endsWith(".report.ndjson")) return area("reports", "lines");
      return area("runs", "leave", "a run is under way: give the command again when it has ended");
    case "sync":
      if (name.endsWith(".sqlite")) return area("maps of keys", "rows");
      return name.endsWith(".plan") ? area("plans", "file") : area("reports", "lines");
    case "subject":
      // A receipt holds ids, and no personal data.
      if (name.startsWith("receipt-")) return undefined;
      return area("plans", "file");
    case "config":
      if (/\.plan(?:\.gz)?$/.test(name)) return area("plans", "file");
      return area(folder, "leave", "look at it");
    case "completion":
      return area("what Tab remembers", "file");
    case "mirrors":
      return area("mirrors", "leave", `voxctl mirror delete ${name}`);
    case "rehearsals":
    case "rehearsed":
      return area("rehearsals", "leave", "a copy that a rehearsal made: delete it where none is under way");
    default:
      return area(folder, "leave", "look at it");
  }
}

function findRootArea(name: string): Area {
  const profileName = /^(.+)\.db$/.exec(name)?.[1];
  if (profileName !== undefined)
    return area(
      "offline worlds",
      "leave",
      `voxctl subject erase --profile ${profileName} …, then voxctl emulator logs --clear --profile ${profileName}; or emulator reset`,
    );
  if (name === "emulator.log")
    return area("the emulator's log", "leave", "delete it where no emulator is running in the background");
  return area("other files", "leave", "look at it");
}

/** A file of the user's own, by how it begins. */
export function findOwnArea(beginning: string): Area {
  if (beginning.startsWith('{"plan":')) return area("plans", "file");
  if (/^\{\s*"version": 1,\s*"at":/.test(beginning) && beginning.includes('"body_base64"'))
    return area("webhook recordings", "file");
  if (beginning.startsWith('{"voxctl_state":')) return area("maps of keys", "lines");
  if (/^\{[^\n]*"outcome":/.test(beginning)) return area("reports", "lines");
  return area(
    "your own files",
    "leave",
    "voxctl did not make it as a plan, a report or a recording: change it by hand",
  );
}

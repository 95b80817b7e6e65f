import { isDeviceName } from "../../../base/file-names.js";

/** Keys: the path of a file without its extension; for an item `FILE#ITEMKEY`. */

/** Returns a form that is equal for keys that differ only in case or Unicode composition. */
export function foldedKey(key: string): string {
  return key.normalize("NFC").toLowerCase();
}

/** Returns the key of a file: its path without extension. */
export function keyOfPath(path: string): string {
  return path.replace(/\.(?:yaml|md)$/, "").normalize("NFC");
}

const letters: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  ø: "oe",
  å: "a",
  ł: "l",
  đ: "d",
};

/** Returns a name as part of a path: lowercase, transliterated. */
export function slugOf(name: string): string {
  const plain = [...name.normalize("NFC").toLowerCase()].map((letter) => letters[letter] ?? letter).join("");
  const slug = plain
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .replace(/-+$/, "");
  // A file `con.yaml` can't be checked out on Windows.
  if (isDeviceName(slug)) return `${slug}-1`;
  return slug === "" ? "unnamed" : slug;
}

/**
 * Returns an unused key; appends `-2` and so on if necessary.
 * @param taken folded keys; the new one is added
 */
export function freeKey(base: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? base : `${base}-${number}`;
    if (taken.has(foldedKey(key))) continue;
    taken.add(foldedKey(key));
    return key;
  }
}

/** Converts a glob to an anchored pattern: `*` and `?` match within a name, `**` across directories. */
export function globPattern(glob: string, flags: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "**/") return "(?:[^]*/)?";
      if (part === "**") return "[^]*";
      if (part === "*") return "[^/]*";
      return part === "?" ? "[^/]" : part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, flags);
}

/** Returns a predicate for the paths and keys that the globs of `ignore:` match. */
export function ignoring(globs: readonly string[]): (key: string) => boolean {
  const patterns = globs.map((glob) => globPattern(glob.replace(/^\.\//, ""), "iu"));
  return (key) => {
    const [file = "", item] = key.split("#", 2);
    const forms = [file, `${file}.yaml`, `${file}.md`, ...(item === undefined ? [] : [key])];
    return patterns.some((pattern) => forms.some((form) => pattern.test(form.normalize("NFC"))));
  };
}

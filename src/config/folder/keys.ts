import { isDeviceName } from "../../base/file-names.js";

/** F1: keys. A key is a file's path without its ending; of an item `FILE#ITEMKEY`. */

/** Equal for keys that differ only in case or in how their characters are composed. */
export function foldedKey(key: string): string {
  return key.normalize("NFC").toLowerCase();
}

/** The path of a file without its ending. */
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

/** A name as part of a path: lower case, transliterated (U5). */
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
 * A key that is not taken yet: `-2` and so on where it is.
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

/** A glob as a pattern of a whole text: `*`, `?` within a name, `**` over folders. */
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

/** The globs of `ignore:` as one test of a path or key. */
export function ignoring(globs: readonly string[]): (key: string) => boolean {
  const patterns = globs.map((glob) => globPattern(glob.replace(/^\.\//, ""), "iu"));
  return (key) => {
    const [file = "", item] = key.split("#", 2);
    const forms = [file, `${file}.yaml`, `${file}.md`, ...(item === undefined ? [] : [key])];
    return patterns.some((pattern) => forms.some((form) => pattern.test(form.normalize("NFC"))));
  };
}

/** F1: keys. A key is a file's path without its ending; of an item `FILE#ITEMKEY`. */

/** Equal for keys that differ only in case or in how their characters are composed. */
export function foldedKey(key: string): string {
  return key.normalize("NFC").toLowerCase();
}

/** The path of a file without its ending. */
export function keyOfPath(path: string): string {
  return path.replace(/\.(?:yaml|md)$/, "").normalize("NFC");
}

/** The globs of `ignore:` as one test of a path or key: `*`, `?` within a name, `**` over folders. */
export function ignoring(globs: readonly string[]): (key: string) => boolean {
  const patterns = globs.map((glob) => {
    const source = glob
      .replace(/^\.\//, "")
      .split(/(\*\*\/|\*\*|\*|\?)/)
      .map((part) => {
        if (part === "**/") return "(?:[^]*/)?";
        if (part === "**") return "[^]*";
        if (part === "*") return "[^/]*";
        return part === "?" ? "[^/]" : part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
      })
      .join("");
    return new RegExp(`^${source}$`, "iu");
  });
  return (key) => {
    const [file = "", item] = key.split("#", 2);
    const forms = [file, `${file}.yaml`, `${file}.md`, ...(item === undefined ? [] : [key])];
    return patterns.some((pattern) => forms.some((form) => pattern.test(form.normalize("NFC"))));
  };
}

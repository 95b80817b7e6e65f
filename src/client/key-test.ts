/** Minimum length of a key to search for. A shorter key might be a common word. */
const shortestKey = 8;

/** Form of an API key: with the prefix of legacy keys, or long and with mixed case. A random key may lack digits. */
const keyForm = /^(?:vak_[\w-]{32,}|(?=[\w.+/-]*[a-z])(?=[\w.+/-]*[A-Z])[\w.+/-]{40,})$/;

/** Names of variables. Only a plain name is printed or recorded, because any other may be a password. */
const nameForms = {
  plain: /^[A-Za-z_]\w*$/,
  /** Docker and Kubernetes also allow hyphens and periods in names of variables. */
  lawful: /^[A-Za-z_][\w.-]*$/,
};
type NameForm = keyof typeof nameForms;

const expectedSource = "must be a source such as env:NAME, file:PATH or keychain:NAME";
const expectedVariable = "must be the name of an environment variable";

/**
 * Returns why a source such as `env:NAME` is invalid; undefined for a valid source. The reason doesn't contain
 * the source, which may contain a key.
 */
export function findSourceProblem(source: string, form: NameForm = "lawful"): string | undefined {
  const [, area, name] = /^(env|file|keychain):(\S.*)$/s.exec(source) ?? [];
  if (name === undefined) return expectedSource;
  if (area === "env") return findVariableProblem(name, form);
  // Long paths look like keys with periods and slashes, and long names of files look like keys without digits.
  return keyForm.test(name) && /\d|^vak_/.test(name) && !/[./]/.test(name)
    ? `contains a key, but ${expectedSource}`
    : undefined;
}

/** Returns why a text is not the name of a variable. The reason doesn't contain the text, which may be a key. */
export function findVariableProblem(name: string, form: NameForm = "lawful"): string | undefined {
  if (keyForm.test(name)) return `contains a key, but ${expectedVariable}`;
  return nameForms[form].test(name) ? undefined : `${expectedVariable}, with letters, digits and underscores`;
}

export function isPlainVariable(name: string): boolean {
  return findVariableProblem(name, "plain") === undefined;
}

/**
 * Returns a predicate for text that contains one of these keys: unchanged, with URL or JSON escapes, or in
 * base64 or hex.
 */
export function createKeyTest(keys: readonly string[]): (text: string) => boolean {
  const forms = [...new Set(keys.filter((key) => key.length >= shortestKey).flatMap(encodedForms))];
  const hasKey = (text: string) => forms.some((form) => text.includes(form));
  return (text) => hasKey(text) || (/%[0-9a-f]|\\u/i.test(text) && hasKey(withoutEscapes(text)));
}

function encodedForms(key: string): string[] {
  const bytes = Buffer.from(key);
  const hex = bytes.toString("hex");
  return [key, JSON.stringify(key).slice(1, -1), hex, hex.toUpperCase(), ...base64Forms(bytes)];
}

/**
 * Returns the three base64 forms of a key, one for each possible position within a longer text. Omits the
 * first and last characters, which depend on adjacent text.
 */
function base64Forms(key: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const mixed = (offset + key.length) % 3;
    const encoded = Buffer.concat([Buffer.alloc(offset), key])
      .toString("base64")
      .replace(/=+$/, "");
    const form = encoded.slice(offset === 0 ? 0 : offset + 1, mixed === 0 ? undefined : -1);
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Decodes only ASCII characters, because keys contain no others. */
function withoutEscapes(text: string): string {
  return text.replace(/%([0-7][0-9a-f])|\\+u00([0-7][0-9a-f])/gi, (_, percent, unicode) =>
    String.fromCharCode(Number.parseInt(percent ?? unicode, 16)),
  );
}

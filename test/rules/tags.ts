/**
 * A test's claim about a rule in its title. `[public.limits.1]`: shown holding. `[public.limits.1 refuses]`: shown
 * refusing; `holds refuses`: both, the one beside the other. `property`: over random inputs; `concurrency`: with several
 * asking at once. `D-order:` is short for `[D-order]`.
 */
export const kinds = ["holds", "refuses", "property", "concurrency"] as const;
export type Kind = (typeof kinds)[number];

export interface Tag {
  rule: string;
  kinds: readonly Kind[];
}

export const ruleForm = /^(?:(?:public|v1|v2|dist|legacy|emulator|mirror)\.[a-z0-9.-]+|D-[a-z0-9-]+)$/;

/** The rules that a title names. */
export function tagsOf(title: string): Tag[] {
  const bracketed = [...title.matchAll(/\[([^[\]]+)\]/g)].flatMap(([, inner = ""]) => {
    const words = inner.split(/[\s,;]+/).filter((word) => word !== "");
    const told = kinds.filter((kind) => words.includes(kind));
    return words.filter((word) => ruleForm.test(word)).map((rule) => ({ rule, kinds: withHolds(told) }));
  });
  const plain = [...title.matchAll(/(?<![\w-])(D-[a-z0-9-]+):/g)].map(([, rule = ""]) => ({
    rule,
    kinds: withHolds([]),
  }));
  return [...bracketed, ...plain];
}

/** A test that does not say that the rule refuses shows it holding. */
function withHolds(told: readonly Kind[]): readonly Kind[] {
  return told.includes("refuses") || told.includes("holds") ? told : ["holds", ...told];
}

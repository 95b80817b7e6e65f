/**
 * A test title's claim about an API rule. `[public.limits.1]` claims that the rule holds, `[public.limits.1
 * refuses]` that the rule refuses a request, and `holds refuses` both. `property` means random inputs, and
 * `concurrency` several concurrent clients. `D-order:` is short for `[D-order]`.
 */
export const proofTypes = ["holds", "refuses", "property", "concurrency"] as const;
export type ProofType = (typeof proofTypes)[number];

export interface Tag {
  rule: string;
  kinds: readonly ProofType[];
}

export const ruleForm = /^(?:(?:public|v1|v2|dist|legacy|emulator|mirror)\.[a-z0-9.-]+|D-[a-z0-9-]+)$/;

export function parseTags(title: string): Tag[] {
  const bracketed = [...title.matchAll(/\[([^[\]]+)\]/g)].flatMap(([, inner = ""]) => {
    const words = inner.split(/[\s,;]+/).filter((word) => word !== "");
    const namedTypes = proofTypes.filter((proofType) => words.includes(proofType));
    return words.filter((word) => ruleForm.test(word)).map((rule) => ({ rule, kinds: addHolds(namedTypes) }));
  });
  const plain = [...title.matchAll(/(?<![\w-])(D-[a-z0-9-]+):/g)].map(([, rule = ""]) => ({
    rule,
    kinds: addHolds([]),
  }));
  return [...bracketed, ...plain];
}

function addHolds(types: readonly ProofType[]): readonly ProofType[] {
  return types.includes("refuses") || types.includes("holds") ? types : ["holds", ...types];
}

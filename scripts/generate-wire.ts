import { resources } from "../src/contract/contract.js";

/**
 * Returns a module with the contract but without its schemas, so that routing and the libraries' types don't need zod.
 */
export function wireModule(): string {
  const entries = Object.entries(resources).flatMap(([resource, operations]) =>
    Object.entries(operations).map(
      ([name, { api, method, path, responseShape, bucket, keyless, pathAssumed }]) => {
        const fields = {
          resource,
          api,
          method,
          path,
          responseShape,
          bucket,
          ...(keyless ? { keyless } : {}),
          ...(pathAssumed ? { pathAssumed } : {}),
        };
        const text = Object.entries(fields).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
        return `  "${name}": { ${text.join(", ")} },`;
      },
    ),
  );
  return `// Generated from the contract: its operations without their schemas.

export const wire = {
${entries.join("\n")}
} as const;
`;
}

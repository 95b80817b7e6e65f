import { isPermitted, type Key } from "../kernel/keys.js";
import type { Organization } from "../kernel/organizations.js";
import { type ApiPolicy, parseBearerToken } from "../policy.js";
import { publicPolicy } from "../public/policy.js";
import { checkOrigin, Refusal } from "../refusal.js";

/**
 * Based on the Public API's policy, but MCP has its own authentication and counts tool calls separately
 * (D-mcp). Every refusal is an HTTP error (public.errors.5).
 * @param permissions all permissions that a key can have
 */
export function createMcpPolicy(permissions: ReadonlySet<string>): ApiPolicy {
  return {
    ...publicPolicy,

    // Accepts any Public API key. Also accepts keys of OAuth users, which are valid only for MCP (D-keys).
    authenticate(state, headers, now) {
      const originRefusal = checkOrigin(headers);
      if (originRefusal) throw originRefusal;
      const presented = parseBearerToken(headers, "any case");
      const key = presented === undefined ? undefined : state.keys.find(presented);
      const organization = key?.organizationId ? state.organizations.get(key.organizationId) : undefined;
      if (key?.kind === "oauth" && organization) {
        if (key.status === "revoked") throw new Refusal("forbidden", "D-keys", "the OAuth grant was revoked");
        if (key.expiresAt === null || now < key.expiresAt) return { key, organization };
      }
      return publicPolicy.authenticate(state, headers, now);
    },

    enter({ key, organization }) {
      assertMcpEnabled(organization);
      assertAnyPermission(key, permissions);
    },

    // A key (or OAuth user) and its organization have separate buckets (public.limits.4).
    countersOf({ key, organization }, { method }) {
      const bucket = method === "GET" ? "read" : "write";
      const name = `mcp_${bucket}`;
      const own = { scope: key.id, bucket, name, limits: key.limits } as const;
      return organization ? [own, { scope: organization.id, bucket, name, limits: null }] : [own];
    },

    exhausted(state, now) {
      const { code, message, headers } = publicPolicy.exhausted(state, now);
      return new Refusal(code, "public.limits.4", message, [], headers);
    },

    // If the rate limiter is down, requests are refused with 503 and without rate-limit headers (D-mcp).
    limiterDown() {
      const { code, message } = publicPolicy.limiterDown();
      return new Refusal(code, "D-mcp", message, [], {}, 503);
    },
  };
}

/**
 * Refuses a blocked organization, or one without the `mcp` feature (D-features).
 * @throws Refusal 402
 */
function assertMcpEnabled(organization: Organization | undefined): void {
  if (organization?.status === "blocked")
    throw new Refusal("subscription_required", "D-features", "the organization is blocked");
  if (!organization?.features.has("mcp"))
    throw new Refusal("subscription_required", "D-mcp", "the organization does not have the mcp feature");
}

/**
 * Refuses a key without any permission (D-mcp).
 * @throws Refusal 403
 */
function assertAnyPermission(key: Key, permissions: Iterable<string>): void {
  for (const permission of permissions) if (isPermitted(key, permission)) return;
  throw new Refusal("forbidden", "D-mcp", "this key's role has no permissions");
}

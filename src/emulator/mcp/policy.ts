import { isPermitted, type Key } from "../kernel/keys.js";
import type { LimitState } from "../kernel/limiter.js";
import type { Organization } from "../kernel/organizations.js";
import { bearerOf, type Caller } from "../policy.js";
import { publicPolicy } from "../public/surface.js";
import { Refusal } from "../refusal.js";
import type { World } from "../world.js";

/**
 * D-keys: any key of the Public API, and those of OAuth users, which work here only.
 * @throws Refusal 401; 403 for a revoked OAuth grant
 */
export function authenticate(world: World, authorization: string | undefined, now: number): Caller {
  const presented = bearerOf(authorization);
  const key = presented === undefined ? undefined : world.keys.find(presented);
  const organization = key?.organizationId ? world.organizations.get(key.organizationId) : undefined;
  if (key?.kind === "oauth" && organization) {
    if (key.status === "revoked") throw new Refusal("forbidden", "D-keys", "the OAuth grant was revoked");
    if (key.expiresAt === null || now < key.expiresAt) return { key, organization };
  }
  return publicPolicy.authenticate(world, authorization, now);
}

/** D-features. @throws Refusal 402 */
export function gateSurface(organization: Organization | undefined): void {
  if (organization?.status === "blocked")
    throw new Refusal("subscription_required", "D-features", "the organization is blocked");
  if (!organization?.features.has("mcp"))
    throw new Refusal("subscription_required", "D-mcp", "the organization does not have the feature mcp");
}

/** D-mcp: a key that may do nothing at all. @throws Refusal 403 */
export function permitSurface(key: Key, permissions: Iterable<string>): void {
  for (const permission of permissions) if (isPermitted(key, permission)) return;
  throw new Refusal("forbidden", "D-mcp", "this key's role does not have any permission");
}

/**
 * public.limits.4: places for the tool calls of one request, in buckets of their own, each counted for the organization
 * and for the OAuth user or key.
 */
export class Places {
  private readonly taken: { scope: string; counter: string }[] = [];
  private scarcest: LimitState | undefined;

  constructor(
    private readonly world: World,
    private readonly caller: Caller,
    private readonly now: number,
  ) {}

  /**
   * Takes a place in both counters; where one has none, all that were taken are given back.
   * @throws Refusal 429
   */
  take(bucket: "read" | "write"): void {
    const { key, organization } = this.caller;
    this.takeOne(key.id, bucket, key.limits);
    if (organization) this.takeOne(organization.id, bucket, null);
  }

  giveBack(): void {
    for (const { scope, counter } of this.taken.splice(0)) this.world.limiter.giveBack(scope, counter);
  }

  /** How it stands with the counter that has the least room. */
  get headers(): Record<string, string> {
    return this.scarcest ? publicPolicy.limitHeaders(this.scarcest, this.now) : {};
  }

  private takeOne(scope: string, bucket: "read" | "write", own: Key["limits"]): void {
    const counter = `mcp_${bucket}`;
    const state = this.world.limiter.take(scope, bucket, this.now, own, counter);
    if (state.allowed) {
      this.taken.push({ scope, counter });
      if (!this.scarcest || state.remaining < this.scarcest.remaining) this.scarcest = state;
      return;
    }
    this.giveBack();
    const { code, message, headers } = publicPolicy.exhausted(state, this.now);
    const limitHeaders = publicPolicy.limitHeaders(state, this.now);
    throw new Refusal(code, "public.limits.4", message, [], { ...limitHeaders, ...headers });
  }
}

/** D-mcp: fails closed, here with a 503 without limit headers. */
export function limiterDown(): Refusal {
  const { code, message } = publicPolicy.limiterDown();
  return new Refusal(code, "D-mcp", message, [], {}, 503);
}

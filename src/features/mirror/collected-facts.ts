import { buckets } from "../../contract/limits.js";
import type { Consistency, MirrorRequest, MirrorResource } from "../../contract/mirror.js";
import { distributorResources, publicResources } from "../../contract/mirror.js";
import type { CollectContext, CollectOptions } from "./collect-context.js";
import { absenceOf } from "./lists.js";
import type { Progress, Raw } from "./mirror-emulator.js";
import { quantile } from "./reading-stats.js";

const bucketsOf = {
  public: [
    ["read", "groups.list"],
    ["write", "groups.create"],
    ["outbound_trigger", "calls.create"],
  ],
  "distributor-v2": [["distributor", "orgs.list"]],
} as const;

export class CollectedFacts {
  readonly progress: Progress;
  private readonly startedAt: number;

  constructor(
    private readonly context: CollectContext,
    private readonly request: MirrorRequest,
    former: Progress,
  ) {
    this.startedAt = context.elapsed();
    this.progress = { ...former };
  }

  /** Keeps the start time of a pass that an earlier process started. */
  begin(pass: number): void {
    this.progress.begun[pass] ??= this.present();
  }

  /** Returns the part of the manifest that the emulator can't determine. */
  finished(consistency: Consistency, { expiresAt, madeAt }: CollectOptions) {
    const { stats, client } = this.context;
    const numbers = Object.keys(this.progress.begun).map(Number);
    const begun = this.progress.begun[Math.max(1, Math.max(...numbers) - 1)] ?? this.present();
    const now = this.present();
    // If no response declared a limit, use the limit that the client knows from earlier commands.
    const limits = bucketsOf[this.request.surface].map(([bucket, operation]) => {
      const declared = stats.limits[bucket] ?? client.declaredLimit(operation);
      return [bucket, { limit: declared ?? buckets[bucket].limit, assumed: declared === undefined }];
    });
    return {
      emulator_id: stats.emulatorId,
      collected: [begun, now],
      consistency,
      made_at: madeAt ?? now,
      refreshed_at: madeAt === undefined ? null : now,
      expires_at: expiresAt,
      reads: stats.reads,
      seconds: this.seconds(),
      limits: Object.fromEntries(limits),
      latency: { median_ms: quantile(stats.latency, 0.5), p90_ms: quantile(stats.latency, 0.9) },
      absent: this.absent(),
      features: { off: this.progress.features_off, prompt_rating: this.progress.prompt_rating },
    };
  }

  /** Marks a resource type as absent if `absenceOf` returns a reason; returns false otherwise. */
  noteIfAbsent(resource: MirrorResource, error: unknown): boolean {
    const reason = absenceOf(resource, error);
    if (reason === undefined) return false;
    const { absent, features_off } = this.progress;
    absent[resource] = reason;
    if (reason === "subscription" && !features_off.includes(resource)) features_off.push(resource);
    return true;
  }

  notice(resource: MirrorResource, rows: readonly Raw[]): void {
    const { dated, undated } = this.progress;
    const keep = (list: MirrorResource[], isPresent: boolean) => {
      if (isPresent && !list.includes(resource)) list.push(resource);
    };
    keep(
      dated,
      rows.some((row) => isDated(row)),
    );
    keep(
      undated,
      rows.some((row) => !isDated(row)),
    );
    if (resource === "prompts" && rows.some(({ rating }) => rating !== null && rating !== undefined))
      this.progress.prompt_rating = true;
  }

  counters(): Progress {
    const { stats } = this.context;
    const limits = Object.fromEntries(Object.entries(stats.limits));
    return { ...this.progress, reads: stats.reads, seconds: this.seconds(), latency: stats.latency, limits };
  }

  private seconds(): number {
    return Math.round(this.progress.seconds * 10 + (this.context.elapsed() - this.startedAt) / 100) / 10;
  }

  private absent(): Progress["absent"] {
    const { surface, include } = this.request;
    const all = surface === "public" ? publicResources : distributorResources;
    const left = all.filter((resource) => !include.includes(resource));
    return {
      ...Object.fromEntries(left.map((resource) => [resource, "not-asked-for" as const])),
      ...(this.request.contact_groups === null ? {} : { contacts: "other-groups" as const }),
      ...(this.request.calls_from === null ? {} : { calls: "older" as const }),
      ...this.progress.absent,
    };
  }

  private present(): string {
    return new Date(this.context.clock.now()).toISOString();
  }
}

function isDated(row: Raw): boolean {
  return typeof (row["updated_at"] ?? row["updatedAt"]) === "string";
}

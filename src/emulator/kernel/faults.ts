import type { Database, Row } from "../../base/database.js";
import { seededDraw } from "../../base/random.js";
import { faultTypes, requestFaultTypes } from "../../contract/control/choices.js";
import { createPathMatcher } from "./glob.js";

export type FaultType = (typeof faultTypes)[number];
type RequestFaultType = (typeof requestFaultTypes)[number];

export interface Fault {
  id: string;
  operation: string | null;
  method: string | null;
  path: string | null;
  key_id: string | null;
  kind: FaultType;
  probability: number | null;
  times: number | null;
  skip: number;
  delay_ms: number | null;
  expires_at: number | null;
  matched: number;
  struck: number;
}

export type StruckFault = Pick<Fault, "id" | "kind">;

export interface FaultTarget {
  operation: string;
  method: string;
  path: string;
  keyId: string | undefined;
}

interface PlannedFault extends Fault {
  pattern: ((path: string) => boolean) | null;
}

const noneStruck: readonly StruckFault[] = [];

/** Faults are stored with their counts, so that a restart doesn't change when they apply. */
export class FaultPlan {
  private plan: PlannedFault[] | undefined;
  private readonly counted = new Set<Fault>();
  private struck: StruckFault[] = [];

  constructor(
    private readonly database: Database,
    private readonly randomSeed: () => number,
  ) {}

  reload(): void {
    this.plan = undefined;
  }

  /**
   * Returns the first type with a fault that is due, and a delay. Counts no other fault as used, because only
   * these take effect (emulator.faults).
   */
  strikeRequest(target: FaultTarget, now: number): { type: RequestFaultType; delayMilliseconds: number }[] {
    if (this.faults().length === 0) return [];
    const struck: { type: RequestFaultType; delayMilliseconds: number }[] = [];
    for (const type of requestFaultTypes) {
      if (struck.length > 0 && type !== "delay") continue;
      const fault = this.strike(type, target, now);
      if (fault) struck.push({ type, delayMilliseconds: fault.delay_ms ?? 0 });
    }
    return struck;
  }

  /** Finds the first fault of this type that applies to the target now, and counts the fault as used. */
  strike(kind: FaultType, target: FaultTarget, now: number): Fault | undefined {
    for (const fault of this.faults()) {
      if (fault.kind !== kind || !matchesTarget(fault, target, now)) continue;
      if (fault.times !== null && fault.struck >= fault.times) continue;
      fault.matched += 1;
      const due = fault.matched > fault.skip && this.chance(fault); // emulator.faults
      this.counted.add(fault);
      if (!due) continue;
      fault.struck += 1;
      this.struck.push({ id: fault.id, kind: fault.kind });
      return fault;
    }
    return undefined;
  }

  /**
   * Called at the end of each request, even if the request was rolled back.
   * @returns the faults that were applied since the last call
   */
  keepCounts(): readonly StruckFault[] {
    if (this.counted.size === 0) return noneStruck;
    for (const fault of this.counted) {
      this.database
        .prepare("UPDATE faults SET matched = ?, struck = ? WHERE id = ?")
        .run(fault.matched, fault.struck, fault.id);
    }
    this.counted.clear();
    const { struck } = this;
    this.struck = [];
    return struck;
  }

  private chance(fault: Fault): boolean {
    if (fault.probability === null || fault.probability >= 1) return true;
    return seededDraw(this.randomSeed(), "fault", fault.id, fault.matched) < fault.probability;
  }

  private faults(): readonly PlannedFault[] {
    this.plan ??= this.database
      .prepare("SELECT * FROM faults ORDER BY id")
      .all()
      .map((row) => {
        const fault = toFault(row);
        return { ...fault, pattern: fault.path === null ? null : createPathMatcher(fault.path) };
      });
    return this.plan;
  }
}

function matchesTarget(fault: PlannedFault, target: FaultTarget, now: number): boolean {
  if (fault.expires_at !== null && now >= fault.expires_at) return false;
  if (fault.operation !== null && fault.operation !== target.operation) return false;
  if (fault.method !== null && fault.method.toUpperCase() !== target.method) return false;
  if (fault.key_id !== null && fault.key_id !== target.keyId) return false;
  return fault.pattern === null || fault.pattern(target.path);
}

export function toFault(row: Row): Fault {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  const number = (name: string) => (row[name] === null ? null : Number(row[name]));
  return {
    id: String(row["id"]),
    operation: text("operation"),
    method: text("method"),
    path: text("path"),
    key_id: text("key_id"),
    kind: faultTypes.find((type) => type === row["kind"]) ?? "error_before",
    probability: number("probability"),
    times: number("times"),
    skip: number("skip") ?? 0,
    delay_ms: number("delay_ms"),
    expires_at: number("expires_at"),
    matched: number("matched") ?? 0,
    struck: number("struck") ?? 0,
  };
}

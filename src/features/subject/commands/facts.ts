import type { EraseResult, ErasureDecision, LocalErased } from "../index.js";
import type { SubjectSearch } from "./search.js";

/** The findings, decisions and results of an erasure. */
export interface ErasureFacts {
  search: SubjectSearch;
  decision: ErasureDecision;
  reference: string | null;
  /** Results for resources in the service; undefined if no changes were made. */
  result: EraseResult | undefined;
  /** Results, or a preview, for local files; undefined if they were not searched. */
  local: LocalErased | undefined;
}

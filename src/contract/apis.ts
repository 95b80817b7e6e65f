import type { Bucket } from "./limits.js";

export type ApiName = "public" | "distributor-v1" | "distributor-v2" | "legacy";

export interface Api {
  readonly name: ApiName;
  readonly basePath: string;
  readonly descriptionPath: string;
  /** Shape of a successful response: `data` means `{data}`, `status` means `{status: "success", data}`. */
  readonly envelope: "data" | "status";
  readonly meta: { readonly hasMore: string; readonly nextCursor: string };
  /**
   * Shape of an error. `nested` means `{error: {code, message, details}}`. `flat` means `{status: "error",
   * errorCode, message}`. `code` means `{status: "error", code, message}`.
   */
  readonly errorBody: "nested" | "flat" | "code";
  readonly created: 200 | 201;
  readonly commonErrors: readonly number[];
  /** Null if the bucket depends on the operation. */
  readonly bucket: Bucket | null;
}

export const apis: Readonly<Record<ApiName, Api>> = {
  public: {
    name: "public",
    basePath: "/api/v1",
    descriptionPath: "/api/v1",
    envelope: "data",
    meta: { hasMore: "has_more", nextCursor: "next_cursor" },
    errorBody: "nested",
    created: 201,
    commonErrors: [401, 402, 403, 429, 500],
    bucket: null,
  },
  "distributor-v1": {
    name: "distributor-v1",
    basePath: "/api/distributor/v1",
    descriptionPath: "/api/distributor/v1",
    envelope: "status",
    meta: { hasMore: "hasMore", nextCursor: "nextCursor" },
    errorBody: "flat",
    created: 201,
    commonErrors: [401, 403, 429, 500, 503],
    bucket: "distributor",
  },
  "distributor-v2": {
    name: "distributor-v2",
    basePath: "/api/distributor/v2",
    descriptionPath: "/api/distributor/v2",
    envelope: "status",
    meta: { hasMore: "hasMore", nextCursor: "nextCursor" },
    errorBody: "flat",
    created: 201,
    commonErrors: [401, 403, 429, 500, 503],
    bucket: "distributor",
  },
  legacy: {
    name: "legacy",
    // The paths of the operations already contain /api/v1.
    basePath: "",
    // Differs from the base path, because the host's root can't be the path of one API's description.
    descriptionPath: "/api/v1/outbound",
    envelope: "status",
    meta: { hasMore: "hasMore", nextCursor: "nextCursor" },
    errorBody: "code",
    created: 200,
    commonErrors: [401, 402, 429, 500],
    bucket: "legacy",
  },
};

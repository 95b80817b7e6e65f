import type { Bucket } from "./limits.js";

export type ApiName = "public" | "distributor-v1" | "distributor-v2" | "legacy";

/** The common properties of one API of the service: its base path and the envelope of its responses. */
export interface Api {
  readonly name: ApiName;
  /** Base path on a host. The paths of the API's operations are relative to it. */
  readonly basePath: string;
  /** Path below which the emulator serves the API description, next to the operations. */
  readonly descriptionPath: string;
  /** `data` means `{data}`; `status` means `{status: "success", data}`. */
  readonly envelope: "data" | "status";
  /** Names in a list's `meta`. */
  readonly meta: { readonly hasMore: string; readonly nextCursor: string };
  /**
   * `nested` means `{error: {code, message, details}}`; `flat` means `{status: "error", errorCode, message}`; `code` is like `flat`, with
   * `code` instead of `errorCode`.
   */
  readonly errorBody: "nested" | "flat" | "code";
  /** The status of a successful POST. */
  readonly created: 200 | 201;
  /** Error statuses that any operation of the API may return. */
  readonly commonErrors: readonly number[];
  /** The bucket that counts every authenticated request, except for operations with a separate bucket. */
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
    // The paths of the operations are complete paths on the host and start with /api/v1.
    basePath: "",
    // The root of the host does not belong to an API.
    descriptionPath: "/api/v1/outbound",
    envelope: "status",
    meta: { hasMore: "hasMore", nextCursor: "nextCursor" },
    errorBody: "code",
    created: 200,
    commonErrors: [401, 402, 429, 500],
    bucket: "legacy",
  },
};

import { describe, expect, it } from "vitest";
import type { ItemsOptions } from "../../src/client/types.js";
import { catchError, createPublicError, createStage, type Reply } from "./fakes.js";

const key = "k3y-Of_the-tests_0123456789abcdefghijklmnopq";
const targets = {
  public: { baseUrl: "https://api.example.org/api/v1", key },
  "distributor-v1": { baseUrl: "https://api.example.org/api/distributor/v1", key },
  "distributor-v2": { baseUrl: "https://api.example.org/api/distributor/v2", key },
};

function organizations(...replies: Reply[]) {
  const { client, seen } = createStage(replies, { targets });
  const read = async (options: ItemsOptions = {}) => {
    const rows: unknown[] = [];
    for await (const row of client.items("orgs.list", { query: { type: "msp" } }, options)) rows.push(row);
    return rows;
  };
  const queries = () => seen.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  return { read, queries, seen };
}

const [org1, org2, org3] = [{ id: "1" }, { id: "2" }, { id: "3" }];

describe("a list of the distributor API", () => {
  it.each([
    ["meta", { hasMore: true, nextCursor: "c1" }, { hasMore: false, nextCursor: null }],
    ["meta", { has_more: true, next_cursor: "c1" }, { has_more: false, next_cursor: null }],
    ["pagination", { hasMore: true, nextCursor: "c1" }, { hasMore: false }],
    ["pagination", { has_more: true, next_cursor: "c1" }, { has_more: false }],
    ["page", { hasMore: true, nextCursor: "c1" }, { hasMore: false }],
    ["page", { has_more: true, next_cursor: "c1" }, { has_more: false }],
    ["meta", { nextCursor: "c1" }, { nextCursor: null }],
  ])("[T8] the client finds the next page from the field %s: %j", async (location, more, last) => {
    const { read, queries } = organizations(
      { body: { data: [org1, org2], [location]: more } },
      { body: { data: [org3], [location]: last } },
    );
    expect(await read()).toEqual([org1, org2, org3]);
    expect(queries()).toEqual([{ type: "msp" }, { type: "msp", cursor: "c1" }]);
  });

  it.each([
    [{ hasMore: true, nextCursor: "c1" }, { hasMore: false }],
    [
      { has_more: true, next_cursor: "c1" },
      { has_more: false, next_cursor: "c9" },
    ],
  ])("[T8] the client uses a cursor at the top level of the response: %j", async (more, last) => {
    const { read, queries } = organizations(
      { body: { data: [org1, org2], ...more } },
      { body: { data: [org3], ...last } },
    );
    expect(await read()).toEqual([org1, org2, org3]);
    expect(queries()[1]).toEqual({ type: "msp", cursor: "c1" });
  });

  it("[T8] the client follows a Link header's query, but not its host", async () => {
    const link = [
      `<https://elsewhere.example/api/distributor/v2/organizations?page=1>; rel="first"`,
      `<http://internal.example/api/distributor/v2/organizations?type=msp&page=2&limit=2>; title="a, b"; rel="next last"`,
    ].join(", ");
    const { read, queries, seen } = organizations(
      { headers: { link }, body: { data: [org1, org2] } },
      { headers: { link: `</organizations?page=1>; rel=prev` }, body: { data: [org3] } },
    );
    expect(await read()).toEqual([org1, org2, org3]);
    expect(queries()[1]).toEqual({ type: "msp", page: "2", limit: "2" });
    expect(seen.every(({ url }) => url.startsWith("https://api.example.org/"))).toBe(true);
  });

  it("[T8] the client keeps repeated parameters of a Link header", async () => {
    const link = '</api/distributor/v2/organizations?status=a&status=b&page=2>; rel="next"';
    const { read, seen } = organizations(
      { headers: { link }, body: { data: [org1] } },
      { body: { data: [] } },
    );
    expect(await read()).toEqual([org1]);
    expect(new URL(seen[1]?.url ?? "").search).toBe("?type=msp&status=a&status=b&page=2");
  });

  it.each([
    [{ paging: { cursor: "abc" } }, '"cursor":"abc"'],
    [{ next: "https://api.example.org/organizations?page=2" }, '"next"'],
    [{ links: { next: { href: "/organizations?page=2" } } }, '"next"'],
    [{ meta: { next_page_token: "t" } }, '"next_page_token"'],
    [{ more: true }, '"more":true'],
    [{ pagination: { moreAvailable: true } }, '"moreAvailable"'],
    [{ hasNextPage: true }, '"hasNextPage"'],
    [{ page: { isLast: false } }, '"isLast"'],
    [{ last: false }, '"last"'],
    [{ total: 35 }, '"total":35'],
    [{ meta: { totalCount: 35 } }, '"totalCount"'],
    [{ meta: { total_count: 35 } }, '"total_count"'],
    [{ paging: { totalItems: 35 } }, '"totalItems"'],
    [{ count: 3 }, '"count"'],
    [{ page: 1, pages: 4 }, '"page"'],
    [{ meta: { page: 1, totalPages: 4 } }, '"page"'],
    [{ meta: { hasMore: true } }, "no next page"],
  ])(
    "[T8] a list is never treated as complete if the response suggests more rows: %j",
    async (envelope, because) => {
      const reply = { body: { status: "success", data: [org1, org2], ...envelope } };
      expect(await catchError(organizations(reply).read())).toMatchObject({
        code: "incomplete_list",
        outcome: "none",
        retryable: false,
        message: expect.stringContaining(because),
      });
      // With a limit, the list ends, and `onMore` reports that more rows may exist.
      const certainties: boolean[] = [];
      const onMore = (isCertain: boolean) => certainties.push(isCertain);
      expect(await organizations(reply).read({ limit: 50, onMore })).toEqual([org1, org2]);
      expect(await organizations(reply).read({ limit: 2, onMore })).toEqual([org1, org2]);
      expect(certainties).toEqual([false, false]);
    },
  );

  it.each([
    {},
    { total: 2, count: 2, page: 4, pages: 4, totalPages: 4 },
    { nextCursor: null, next: "", token: null },
    { isLast: true, last: true, hasNext: false, more: false },
    { previousCursor: "c0", requestId: "abc", nextReview: "2026-03-02" },
    { summary: { total: 35, next: "x" } },
    { meta: { hasMore: false, cursor: "c0", total: 35 } },
  ])("[T8] a list is complete if no field suggests more rows: %j", async (envelope) => {
    const rows = [
      { ...org1, next: "https://crm.example/2", total: 99, hasMore: true },
      { ...org2, cursor: "c" },
    ];
    expect(await organizations({ body: { data: rows, ...envelope } }).read()).toEqual(rows);
  });

  it("[T8] the client ignores undocumented page markers in a Public API list", async () => {
    const { client } = createStage([
      { body: { data: [org1], meta: { has_more: false, next_cursor: null, total: 35 }, next: "x" } },
    ]);
    const rows: unknown[] = [];
    for await (const row of client.items("groups.list")) rows.push(row);
    expect(rows).toEqual([org1]);
  });

  it.each([
    [{ id: 1 }, { id: 2 }],
    [{ organizationId: 1 }, { organizationId: 2 }],
    [{ organization_id: "a" }, { organization_id: "b" }],
  ])("[T7] [T9] a repeated row is dropped, regardless of the ID field's name: %j", async (first, second) => {
    const { read } = organizations(
      { body: { data: [first, second], meta: { hasMore: true, nextCursor: "c1" } } },
      { body: { data: [second], meta: { hasMore: false } } },
    );
    expect(await read()).toEqual([first, second]);
  });
});

describe("a list whose pages shift during the read", () => {
  const page = (rows: unknown[], next: string | null) => ({
    body: { data: rows, meta: { has_more: next !== null, next_cursor: next } },
  });
  const read = async (replies: Reply[], options: ItemsOptions = {}) => {
    const { client, seen } = createStage(replies);
    const rows: unknown[] = [];
    for await (const row of client.items("contacts.list", {}, options)) rows.push(row);
    return { rows, requests: seen.length };
  };

  it("[T7] a repeated row is dropped and does not count toward the limit", async () => {
    const pages = [page([org1, org2], "c1"), page([org2, org3], null)];
    expect((await read(pages)).rows).toEqual([org1, org2, org3]);
    expect((await read(pages, { limit: 3 })).rows).toEqual([org1, org2, org3]);
  });

  it("[T7] all rows without an ID are kept", async () => {
    const { client } = createStage(
      [
        {
          body: {
            data: [
              { organizationId: "a", calls: 1 },
              { organizationId: "a", calls: 1 },
            ],
          },
        },
      ],
      { targets },
    );
    const rows: unknown[] = [];
    for await (const row of client.items("usage.list")) rows.push(row);
    expect(rows).toHaveLength(2);
  });

  it("[T7] an empty page in the middle does not end a list", async () => {
    expect(
      (await read([page([org1], "c1"), page([], "c2"), page([], "c3"), page([org2], null)])).rows,
    ).toEqual([org1, org2]);
  });

  it("[T7] a list with a repeated cursor ends as incomplete", async () => {
    const circle = [page([org1], "c1"), page([org2], "c2"), page([org3], "c1")];
    expect(await catchError(read(circle))).toMatchObject({ code: "incomplete_list", outcome: "none" });
  });

  it.each([
    ["empty pages", []],
    ["pages that repeat rows", [org1]],
  ])("[T7] a list with endless %s ends as incomplete", async (_, rows) => {
    let count = 0;
    const endless = createStage([], {
      transport: async () => {
        count += 1;
        const text = JSON.stringify(page(rows, `c${count}`).body);
        return { status: 200, headers: {}, text: async () => text, body: (async function* () {})() };
      },
    });
    const all = async () => {
      const found: unknown[] = [];
      for await (const row of endless.client.items("contacts.list")) found.push(row);
    };
    expect(await catchError(all())).toMatchObject({ code: "incomplete_list" });
    expect(count).toBeLessThan(1_100);
  });

  it("[T7] a complete read of a list with 1,501 pages succeeds", async () => {
    const long = createStage([], {
      transport: async (url) => {
        const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
        const text = JSON.stringify(page([{ id: `r${at}` }], at < 1_500 ? `${at + 1}` : null).body);
        return { status: 200, headers: {}, text: async () => text, body: (async function* () {})() };
      },
    });
    const found: unknown[] = [];
    for await (const row of long.client.items("contacts.list", {}, { complete: true })) found.push(row);
    expect(found).toHaveLength(1_501);
  });

  it("[T17] if a list is refused with a 400, the client repeats the request without a page size", async () => {
    const pages = [createPublicError(400, "validation_failed"), page([org1], null)];
    expect(await read(pages, { pageSize: 200 })).toEqual({ rows: [org1], requests: 2 });
    expect(
      await catchError(read([createPublicError(400, "validation_failed")], { pageSize: 200 })),
    ).toMatchObject({
      status: 400,
    });
    expect(await catchError(read([createPublicError(403, "forbidden")], { pageSize: 200 }))).toMatchObject({
      status: 403,
    });
  });
});

describe("a list from which other clients delete rows", () => {
  const page = (rows: unknown[], next: string | null, headers: Record<string, string> = {}): Reply => ({
    body: { data: rows, meta: { has_more: next !== null, next_cursor: next } },
    headers,
  });
  const read = async (replies: Reply[], options: ItemsOptions) => {
    const { client, seen } = createStage(replies, { targets });
    const rows: unknown[] = [];
    for await (const row of client.items("contacts.list", {}, options)) rows.push(row);
    return { found: rows, requests: seen.length };
  };

  it("[T7] a list that must be complete is read again until no new row appears", async () => {
    const replies = [page([org1], "p1"), page([org3], null), page([org2], "p1"), page([org3], null)];
    const again = [page([org2], "p1"), page([org3], null)];
    expect(await read([...replies, ...again], { complete: true })).toEqual({
      found: [org1, org3, org2],
      requests: 6,
    });
    expect(await read(replies, {})).toEqual({ found: [org1, org3], requests: 2 });
  });

  it("[T7] a list is read only once if it has one page or comes from an emulator", async () => {
    expect(await read([page([org1], null)], { complete: true })).toEqual({ found: [org1], requests: 1 });
    const headers = { "x-emulator-world": "w" };
    const replies = [page([org1], "c1", headers), page([org2], null, headers)];
    expect(await read(replies, { complete: true })).toEqual({ found: [org1, org2], requests: 2 });
  });
});

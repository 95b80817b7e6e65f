import { describe, expect, test } from "vitest";
import { readJsonArray } from "../../src/features/import/sources/json.js";

const people = [{ first_name: "Anna" }, { first_name: "Bert" }];

async function findProblems(page: unknown): Promise<(string | undefined)[]> {
  const text = JSON.stringify(page);
  async function* pieces() {
    for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
  }
  const problems: (string | undefined)[] = [];
  for await (const { problem } of readJsonArray(pieces(), "list.json")) problems.push(problem);
  return problems;
}

const pages: readonly (readonly [string, object])[] = [
  ["a next link", { count: 2, next: "https://example.org/?page=2", results: people }],
  ["an OData next link", { value: people, "@odata.nextLink": "https://example.org/?$skip=2" }],
  ["a next link inside a wrapper object", { d: { results: people, __next: "https://example.org/?$skip=2" } }],
  ["a next token", { items: people, nextPageToken: "CAE" }],
  ["the number of the next page", { data: people, meta: { next_page: 2 } }],
  ["a HAL next link", { _embedded: { contacts: people }, _links: { next: { href: "/?page=2" } } }],
  ["a next link in an object of links", { data: people, links: { self: "/", next: "/?page=2" } }],
  ["a next link in a list of links", { data: people, links: [{ rel: "next", href: "/?page=2" }] }],
  [
    "the position of the next page in an object",
    { results: people, paging: { next: { after: "2", link: "" } } },
  ],
  ["a continuation token", { items: people, metadata: { continue: "abc" } }],
  ["a cursor", { data: people, response_metadata: { next_cursor: "abc" } }],
  ["an offset that is a string", { records: people, offset: "itr1/rec2" }],
  ["a flag for more rows", { data: people, info: { more_records: true } }],
  ["a nested flag for more rows", { data: people, additional_data: { pagination: { more_items: true } } }],
  ["a flag for a next page", { data: { contacts: { nodes: people, pageInfo: { hasNextPage: true } } } }],
  ["a flag for truncation", { contents: 0, items: people, IsTruncated: true }],
  ["a flag that is a string", { data: people, has_more: "true" }],
  ["done: false", { totalSize: 2, done: false, records: people }],
  ["last: false", { content: people, last: false, size: 2 }],
  ["the page numbers of the first of two pages", { data: people, meta: { current_page: 1, last_page: 2 } }],
  ["the page numbers of the last of two pages", { content: people, last: true, number: 1, totalPages: 2 }],
  ["only a page number", { data: people, page: 2 }],
  ["a link to a previous page", { results: people, next: null, previous: "https://example.org/" }],
  ["an offset above 0", { data: people, pagination: { offset: 2, limit: 2 } }],
  ["a total above the number of rows", { data: people, total: 3 }],
  ["a total that is a string", { d: { results: people, __count: "3" } }],
  ["a total with a relation operator", { hits: { total: { value: 3, relation: "eq" }, hits: people } }],
  ["a length above the number of rows", { length: 3, records: people }],
  [
    "a total after a long list of other records",
    { data: people, included: Array(2_000).fill({ next: "x" }), meta: { total: 3 } },
  ],
];

const wholes: readonly (readonly [string, object])[] = [
  ["empty fields", { count: 2, next: null, previous: null, results: people }],
  ["empty strings", { data: people, meta: { has_more: false, next_cursor: "" } }],
  [
    "a cursor at the last row",
    { data: { contacts: { nodes: people, pageInfo: { hasNextPage: false, endCursor: "b" } } } },
  ],
  [
    "the page numbers of the only page",
    { content: people, first: true, last: true, number: 0, totalPages: 1, totalElements: 2, size: 20 },
  ],
  [
    "the row numbers of the only page",
    { data: people, meta: { current_page: 1, last_page: 1, from: 1, to: 2, per_page: 15, total: 2 } },
  ],
  [
    "a token for requesting later changes",
    { connections: 0, items: people, nextSyncToken: "abc", "@odata.deltaLink": "https://example.org/" },
  ],
  ["done: true", { totalSize: 2, done: true, records: people }],
  [
    "counts of other records",
    { data: people, account: { count: 500, first: false }, took: 30, facets: { total: 40 } },
  ],
  ["a limit above the number of rows", { data: people, meta: { limit: 100, offset: 0, count: 2 } }],
  [
    "a next link inside a row",
    { data: [{ first_name: "Anna", next: "/2", has_more: true }, { first_name: "Bert" }] },
  ],
  ["a next link inside another list", { included: [{ next: "/2", total: 40 }], data: people }],
  ["a start index of 1", { resources: people, totalResults: 2, startIndex: 1, itemsPerPage: 2 }],
];

describe("a JSON API response in a file", () => {
  test.each(pages)(
    "a file with an API response counts as one of several pages if it has %s",
    async (_, page) => {
      const problems = await findProblems(page);
      expect(problems).toHaveLength(3);
      expect(problems[2]).toContain("the file contains only one of several pages");
    },
  );

  test.each(wholes)("a file with an API response is complete if it has %s", async (_, page) => {
    expect(await findProblems(page)).toEqual([undefined, undefined]);
  });

  test.each([
    ["ends inside its JSON object", '{"data": [{"first_name": "Anna"}], "meta": {"next": '],
    ["is not a single JSON object", '{"data": [{"first_name": "Anna"}]}\n{"data": [{"first_name": "Bert"}]}'],
  ])("a file with an API response is refused if it %s", async (message, text) => {
    async function* pieces() {
      yield text;
    }
    const reading = async () => {
      for await (const _ of readJsonArray(pieces(), "list.json"));
    };
    await expect(reading()).rejects.toThrow(message);
  });
});

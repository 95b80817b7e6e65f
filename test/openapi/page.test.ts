import { describe, expect, it } from "vitest";
import { operations } from "../../src/contract/contract.js";
import { createOpenApiDocument } from "../../src/openapi/document.js";
import { renderPage } from "../../src/openapi/page/page.js";
import { buildSamples } from "../../src/openapi/page/samples.js";

const document = createOpenApiDocument(operations, "public", "/api/v1");
const page = renderPage(document, "public");
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe("the web page of the OpenAPI document", () => {
  it("the OpenAPI page shows every operation", () => {
    const missing = described.filter(
      ({ operationId }) =>
        !page.includes(`<section class="operation" id="${operationId}"`) ||
        !page.includes(`"><a href="#${operationId}">`),
    );
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
    expect(described.length).toBeGreaterThan(50);
  });

  it("the OpenAPI page has valid links, unique IDs, and a label for every field", () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const matchIds = (pattern: RegExp) => new Set([...page.matchAll(pattern)].map(([, id]) => id));
    for (const pattern of [/href="#([^"]+)"/g, /aria-labelledby="([^"]+)"/g, /<label for="([^"]+)"/g])
      expect([...matchIds(pattern)].filter((id) => !ids.includes(id))).toEqual([]);
    const labeled = matchIds(/<label for="([^"]+)"/g);
    const fields = [...page.matchAll(/<(?:input|select|textarea) id="([^"]+)"/g)].map(([, id]) => id);
    expect(fields.filter((id) => !labeled.has(id))).toEqual([]);
  });

  it("each operation of the OpenAPI page has an example request in four languages", () => {
    const count = (text: string) => page.split(text).length - 1;
    // The introduction also has an example.
    for (const language of ["curl", "voxctl", "javascript", "python"])
      expect([language, count(`<pre tabindex="0" class="${language}">`)]).toEqual([
        language,
        described.length + 1,
      ]);
  });

  it("an example request in JavaScript sends the example body of the operation", () => {
    const create = { operation: document.paths["/contacts"]?.["post"], method: "post", path: "/contacts" };
    if (!create.operation) throw new Error("the document has no such operation");
    const samples = buildSamples({ ...create, operation: create.operation }, "public");
    const text = samples.find(({ language }) => language === "javascript")?.text;
    expect(text).toContain('method: "POST"');
    expect(text).toContain('"last_name": "Sommer"');
    expect(samples.map((sample) => sample.text)).not.toContainEqual(expect.stringContaining("{contact_id}"));
  });

  it("an example request in Python has True, False and None instead of JSON constants", () => {
    const python = [...page.matchAll(/class="python">([^<]*)</g)].map(([, text]) => text).join();
    expect(python).toMatch(/: (?:True|False|None)/);
    expect(python).not.toMatch(/: (?:true|false|null)/);
  });

  it("the OpenAPI page has no inline scripts or styles", () => {
    expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script type="module" src="docs/docs.js">',
    ]);
    const externalReference = /<style|\sstyle="|\son\w+="|(?:src|href)="(?:https?:)?\/\//.exec(page);
    expect(externalReference?.[0]).toBeUndefined();
  });

  it("the OpenAPI page escapes all of the document's text", () => {
    const nasty = `<img src=x onerror="1">&'`;
    const [first] = described;
    if (!first) throw new Error("the document is empty");
    const changed = structuredClone(document);
    changed.info.title = nasty;
    changed.paths = {
      [nasty]: {
        get: {
          ...first,
          summary: nasty,
          description: `\`${nasty}\` **${nasty}**\n\n${nasty}`,
          parameters: [
            { name: nasty, in: "query", description: nasty, required: true, schema: { enum: [nasty] } },
          ],
        },
      },
    };
    changed.components.schemas = { [nasty]: { properties: { [nasty]: { const: nasty, pattern: nasty } } } };
    const made = renderPage(changed, "public");
    expect(made).toContain("&#60;img src=x");
    expect(made).not.toContain("<img");
    expect(made).not.toContain('onerror="1"');
  });
});

import { type ApiName, apis } from "../src/contract/apis.js";
import { operations } from "../src/contract/contract.js";
import { createOpenApiDocument } from "../src/openapi/document.js";
import { asYaml } from "../src/openapi/index.js";

const files: Readonly<Record<ApiName, string>> = {
  public: "public.yaml",
  "distributor-v1": "distributor-v1.yaml",
  "distributor-v2": "distributor-v2.yaml",
  legacy: "legacy.yaml",
};

/** Returns each API's OpenAPI document, with the emulator's default URL, by file name. */
export async function openApiFiles(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { name, basePath } of Object.values(apis)) {
    const document = createOpenApiDocument(operations, name, `http://127.0.0.1:4010${basePath}`);
    texts.set(files[name], `# Generated from the contract.\n${await asYaml(document)}`);
  }
  return texts;
}

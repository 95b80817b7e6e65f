import type { Archive } from "./archive.js";
import { damaged } from "./limits.js";
import { attributesOf, createXmlReader, type XmlHandler } from "./xml.js";

export interface WorkbookSheet {
  name: string;
  part: string;
  isHidden: boolean;
}

interface Workbook {
  /** At least one sheet, in display order. */
  sheets: readonly WorkbookSheet[];
  /** Part with the shared strings; undefined if the workbook has none. */
  sharedTexts?: string;
  styles?: string;
  /** Whether day 0 is in 1904, as in old spreadsheet programs for the Macintosh. */
  from1904: boolean;
}

/** Maximum number of relationships. A workbook has a few more relationships than sheets. */
const mostRelations = 10_000;

/**
 * Maximum number of characters in a piece. Pieces are small, so that only a few rows with long cells are in
 * memory.
 */
const pieceCharacters = 2_048;

export async function readPart(archive: Archive, name: string, handler: XmlHandler): Promise<void> {
  for await (const _ of readPieces(archive, name, handler));
}

/** Passes a part to the handler in pieces. Yields after each piece, so that callers can use the results. */
export async function* readPieces(
  archive: Archive,
  name: string,
  handler: XmlHandler,
): AsyncGenerator<void, void> {
  const reader = createXmlReader(handler);
  const decoder = new TextDecoder();
  for await (const bytes of archive.read(name)) {
    const text = decoder.decode(bytes, { stream: true });
    for (let at = 0; at < text.length; at += pieceCharacters) {
      reader.write(text.slice(at, at + pieceCharacters));
      yield;
    }
  }
  reader.write(decoder.decode());
  reader.end();
  yield;
}

/** @throws SpreadsheetError if the archive contains no workbook with a sheet */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const path = await workbookPath(archive);
  let from1904 = false;
  const named: { name: string; id: string; isHidden: boolean }[] = [];
  await readPart(archive, path, {
    open(name, written) {
      if (name !== "workbookPr" && name !== "sheet") return;
      const attributes = attributesOf(written);
      if (name === "sheet") {
        if (named.length === mostRelations) throw damaged("the workbook has too many sheets");
        named.push({
          name: attributes.get("name") ?? "",
          id: attributes.get("id") ?? "",
          isHidden: (attributes.get("state") ?? "visible") !== "visible",
        });
      } else from1904 = ["1", "true"].includes(attributes.get("date1904") ?? "");
    },
    close() {},
  });
  const relations = await readRelations(archive, path);
  const sheets = named.flatMap(({ name, id, isHidden }) => {
    const relation = relations.find((candidate) => candidate.id === id && candidate.type !== "chartsheet");
    return relation === undefined ? [] : [{ name, part: relation.target, isHidden }];
  });
  if (sheets.length === 0) throw damaged("the workbook has no sheets");
  const ofType = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const sharedTexts = ofType("sharedStrings");
  const styles = ofType("styles");
  return {
    sheets,
    from1904,
    ...(sharedTexts !== undefined && archive.has(sharedTexts) ? { sharedTexts } : {}),
    ...(styles !== undefined && archive.has(styles) ? { styles } : {}),
  };
}

async function workbookPath(archive: Archive): Promise<string> {
  const usual = "xl/workbook.xml";
  if (archive.has(usual)) return usual;
  const named = (await readRelations(archive, "")).find(({ type }) => type === "officeDocument");
  if (named === undefined) throw damaged("the file contains no workbook");
  return named.target;
}

interface Relation {
  id: string;
  /**
   * Last segment of the type's URL. It is identical in all editions of the file format, unlike the segments
   * before it.
   */
  type: string;
  target: string;
}

/** A file in the directory `_rels` lists a part's relationships to other parts. */
async function readRelations(archive: Archive, part: string): Promise<Relation[]> {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const relations: Relation[] = [];
  if (!archive.has(name)) return relations;
  await readPart(archive, name, {
    open(element, written) {
      if (element !== "Relationship") return;
      const attributes = attributesOf(written);
      if (relations.length === mostRelations) throw damaged("its XML parts refer to too many other parts");
      relations.push({
        id: attributes.get("Id") ?? "",
        type: (attributes.get("Type") ?? "").split("/").at(-1) ?? "",
        target: resolved(folder, attributes.get("Target") ?? ""),
      });
    },
    close() {},
  });
  return relations;
}

function resolved(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const segments: string[] = [];
  for (const segment of `${folder}${target}`.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}

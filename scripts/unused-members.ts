// Lists interface and type members that no code reads, and optional members that no code sets. Code can read
// a member through another, similar type, so this script uses the type checker of TypeScript 5.
// Usage: tsx scripts/unused-members.ts
import { fileURLToPath } from "node:url";
import ts from "typescript-api";

const root = fileURLToPath(new URL("..", import.meta.url));
/**
 * Types to skip. They are printed as a whole (ErrorReport …), parsed from JSON (GuardMessage, JsonSchema),
 * generated (WireOperation), or compatible with literals of other types (WrittenOperation).
 */
const leftOut = new Set([
  ...[
    "ErrorReport",
    "ToolDefinition",
    "RuleCoverage",
    "PreCallExchange",
    "Holder",
    "Difference",
    "HeaderObject",
  ],
  ...["ErrorGroup", "SharedRunInfo"],
  ...[
    "Organization",
    "GuardMessage",
    "JsonSchema",
    "WrittenOperation",
    "WireOperation",
    "Candidate",
    "CallReport",
  ],
]);
/**
 * Types for programs that import voxctl, or for the system. The code that sets or reads their members is
 * outside of this project.
 */
const elsewhere =
  /\/src\/(library\/|emulator\/types\.ts|generated\/operation-types\.ts|base\/io\.ts|base\/database\.ts)/;

type Member = ts.PropertySignature | ts.MethodSignature;

const parsed = ts.getParsedCommandLineOfConfigFile(
  `${root}tsconfig.json`,
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  },
);
if (!parsed) throw new Error("no tsconfig.json");
const program = ts.createProgram(parsed.fileNames, parsed.options);
const checker = program.getTypeChecker();

const members = new Set<Member>();
const read = new Set<ts.Declaration>();
const given = new Set<ts.Declaration>();
const stemsFrom = new Map<ts.Declaration, Set<ts.Declaration>>();
const flown = new Set<string>();

function declarationsOf(symbol: ts.Symbol | undefined): ts.Declaration[] {
  const symbols = symbol ? [symbol, ...checker.getRootSymbols(symbol)] : [];
  return symbols
    .flatMap(({ declarations }) => declarations ?? [])
    .filter((declaration) => declaration.getSourceFile().fileName.startsWith(`${root}src/`));
}

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);
const hasMembers = ({ flags }: ts.Type) => (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
const membersNamed = (type: ts.Type, name: string) =>
  partsOf(type).flatMap((part) => declarationsOf(checker.getPropertyOfType(part, name)));

function addAll(set: Set<ts.Declaration>, declarations: readonly ts.Declaration[]): void {
  for (const declaration of declarations) set.add(declaration);
}

function flow(from: ts.Type, to: ts.Type, depth = 0): void {
  if (from === to || depth > 6) return;
  if (to.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) readWhole(from);
  const key = `${Reflect.get(from, "id")}:${Reflect.get(to, "id")}`;
  if (flown.has(key)) return;
  flown.add(key);
  for (const target of partsOf(to).filter(hasMembers))
    for (const source of partsOf(from).filter(hasMembers)) flowParts(source, target, depth + 1);
}

function flowParts(from: ts.Type, to: ts.Type, depth: number): void {
  if (from === to) return;
  for (const member of checker.getPropertiesOfType(to)) {
    const targets = declarationsOf(member);
    const origin = checker.getPropertyOfType(from, member.name);
    if (targets.length === 0 || !origin) continue;
    const origins = declarationsOf(origin);
    for (const target of targets) {
      if (origins.length === 0) given.add(target);
      const known = stemsFrom.get(target) ?? new Set();
      stemsFrom.set(target, known);
      addAll(known, origins);
    }
    flow(checker.getTypeOfSymbol(origin), checker.getTypeOfSymbol(member), depth);
  }
  if (checker.getIndexTypeOfType(to, ts.IndexKind.String)) readWhole(from);
  for (const [index, argument] of argumentsOf(from).entries()) {
    const targetArgument = argumentsOf(to)[index];
    if (targetArgument) flow(argument, targetArgument, depth);
  }
  const [ours] = from.getCallSignatures();
  const [theirs] = to.getCallSignatures();
  if (!ours || !theirs) return;
  flow(ours.getReturnType(), theirs.getReturnType(), depth);
  for (const [index, parameter] of theirs.parameters.entries()) {
    const taken = ours.parameters[index];
    if (taken) flow(checker.getTypeOfSymbol(parameter), checker.getTypeOfSymbol(taken), depth);
  }
}

const isReference = (type: ts.Type): type is ts.TypeReference => "target" in type;
const argumentsOf = (type: ts.Type) => (isReference(type) ? checker.getTypeArguments(type) : []);

/** Marks all members of a type as read. For example, a JSON serializer reads all members of its argument. */
function readWhole(type: ts.Type, depth = 0): void {
  if (depth > 3) return;
  for (const part of partsOf(type).filter(hasMembers)) {
    for (const member of checker.getPropertiesOfType(part)) {
      const declarations = declarationsOf(member);
      if (declarations.length === 0) continue;
      addAll(read, declarations);
      readWhole(checker.getTypeOfSymbol(member), depth + 1);
    }
    for (const argument of argumentsOf(part)) readWhole(argument, depth + 1);
  }
}

function visit(node: ts.Node): void {
  if ((ts.isPropertySignature(node) || ts.isMethodSignature(node)) && isOurs(node)) members.add(node);
  else if (ts.isPropertyAccessExpression(node))
    addAll(isAssigned(node) ? given : read, declarationsOf(checker.getSymbolAtLocation(node.name)));
  else if (ts.isElementAccessExpression(node)) visitElement(node);
  else if (ts.isObjectBindingPattern(node)) visitPattern(node);
  else if (ts.isObjectLiteralExpression(node)) visitLiteral(node);
  else if (ts.isAsExpression(node))
    flow(checker.getTypeAtLocation(node.expression), checker.getTypeFromTypeNode(node.type));
  if (ts.isClassDeclaration(node))
    for (const { types } of node.heritageClauses ?? [])
      for (const type of types) flow(checker.getTypeAtLocation(node), checker.getTypeAtLocation(type));
  if (ts.isExpression(node) && !ts.isObjectLiteralExpression(node)) {
    const contextualType = checker.getContextualType(node);
    if (contextualType) flow(checker.getTypeAtLocation(node), contextualType);
  }
  ts.forEachChild(node, visit);
}

/** Returns false for members of inline types, because the code next to such a type uses them. */
function isOurs(node: Member): boolean {
  const { fileName } = node.getSourceFile();
  const owner = ownerOf(node);
  return (
    fileName.startsWith(`${root}src/`) && !elsewhere.test(fileName) && owner !== "" && !leftOut.has(owner)
  );
}

function ownerOf({ parent }: Member): string {
  const named = ts.isInterfaceDeclaration(parent) ? parent : parent.parent;
  return ts.isInterfaceDeclaration(named) || ts.isTypeAliasDeclaration(named) ? named.name.text : "";
}

function isAssigned(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

function visitElement(node: ts.ElementAccessExpression): void {
  const type = checker.getTypeAtLocation(node.expression);
  for (const name of partsOf(checker.getTypeAtLocation(node.argumentExpression))) {
    if (!name.isStringLiteral()) continue;
    addAll(read, membersNamed(type, name.value));
    addAll(given, membersNamed(type, name.value));
  }
}

function visitPattern(node: ts.ObjectBindingPattern): void {
  const type = checker.getTypeAtLocation(node);
  for (const element of node.elements) {
    const name = element.propertyName ?? element.name;
    if (!element.dotDotDotToken && ts.isIdentifier(name)) addAll(read, membersNamed(type, name.text));
    else if (ts.isStringLiteral(name)) addAll(read, membersNamed(type, name.text));
  }
}

function visitLiteral(node: ts.ObjectLiteralExpression): void {
  const contextualType = checker.getContextualType(node);
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      if (contextualType) flow(checker.getTypeAtLocation(property.expression), contextualType);
      continue;
    }
    const { name } = property;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) continue;
    if (contextualType) addAll(given, membersNamed(contextualType, name.text));
    // `({ member } = value)`
    if (isAssigned(node)) addAll(read, membersNamed(checker.getTypeAtLocation(node), name.text));
    if (!ts.isShorthandPropertyAssignment(property) || !contextualType) continue;
    for (const part of partsOf(contextualType)) {
      const member = checker.getPropertyOfType(part, name.text);
      if (member) flow(checker.getTypeAtLocation(name), checker.getTypeOfSymbol(member));
    }
  }
}

for (const file of program.getSourceFiles()) if (!file.isDeclarationFile) visit(file);

/**
 * Reading a member also counts for the members that supply its values. Setting a member also counts for the
 * members that get its value.
 */
for (let changed = true; changed; ) {
  changed = false;
  for (const [member, origins] of stemsFrom) {
    for (const origin of origins) {
      const isGiven = !(ts.isPropertySignature(origin) && origin.questionToken) || given.has(origin);
      if (isGiven && !given.has(member)) changed = given.add(member).size > 0;
      if (read.has(member) && !read.has(origin)) changed = read.add(origin).size > 0;
    }
  }
}

const complaints = [...members].flatMap((member) => {
  const complaint = read.has(member)
    ? member.questionToken && !given.has(member)
      ? "never set"
      : undefined
    : "never read";
  if (complaint === undefined) return [];
  const file = member.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(member.getStart()).line + 1;
  return [
    `${file.fileName.slice(root.length)}:${line} ${ownerOf(member)}.${member.name.getText()}: ${complaint}`,
  ];
});
for (const complaint of complaints) console.log(complaint);
if (complaints.length > 0) process.exitCode = 1;

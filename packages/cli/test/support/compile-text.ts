// What the compiler of this project says about files that exist only as text.
import { join } from 'node:path'
import ts from 'typescript'

const folder = import.meta.dirname

// Not exactOptionalPropertyTypes: the client's own definitions do not hold under it.
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

/** Every problem as one line, such as `program.ts:3 Property 'x' does not exist ...`. */
export function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(folder, name), text]))
  const onDisk = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...onDisk,
    fileExists: (path) => texts.has(path) || onDisk.fileExists(path),
    readFile: (path) => texts.get(path) ?? onDisk.readFile(path),
    getSourceFile: (path, language, ...rest) => {
      const text = texts.get(path)
      return text === undefined
        ? onDisk.getSourceFile(path, language, ...rest)
        : ts.createSourceFile(path, text, language)
    },
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0
    return `${file?.fileName.slice(folder.length + 1)}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

// Objects as the bytes of a file, in one of the formats.
import type { ExportTarget } from './export-target.ts'
import type { ObjectLines, Properties } from './object-line.ts'

export interface ObjectWriter {
  /** Called before the first object, also when a walk is continued. */
  readonly begin: () => Promise<void>
  readonly write: (objects: readonly { readonly properties: Properties }[]) => Promise<void>
  /** Called after the last object. */
  readonly end: () => Promise<void>
}

export const lineWriter = (lines: ObjectLines, target: ExportTarget): ObjectWriter => ({
  begin: async () => {
    if (target.bytes() === 0 && lines.header !== '') await target.write(lines.header)
  },
  write: async (objects) => {
    let text = ''
    for (const { properties } of objects) text += lines.line(properties)
    await target.write(text)
  },
  end: async () => {},
})

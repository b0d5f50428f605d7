// The form of a record in the body of a batch: its properties, put as a whole object or merged into the object that is there.

export type LineKind = 'put' | 'merge'

export const lineStarts = {
  put: Buffer.from('{"type":"put","properties":'),
  merge: Buffer.from('{"type":"merge","properties":'),
} as const satisfies Record<LineKind, Buffer>
export const lineEnd = Buffer.from('}\n')

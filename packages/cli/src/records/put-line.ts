// The form of a record in the body of a batch: a put of its properties.

export const putLineStart = Buffer.from('{"type":"put","properties":')
export const putLineEnd = Buffer.from('}\n')
export const putLineBytes = putLineStart.length + putLineEnd.length

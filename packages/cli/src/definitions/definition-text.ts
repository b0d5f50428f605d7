import { isUtf8 } from 'node:buffer'
import { wrongUse } from '../base/cli-error.ts'
import { howToConvert } from '../records/text-encoding.ts'

export function definitionText(file: string, bytes: Buffer): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8')
  throw wrongUse(`${file} must be text in UTF-8: ${howToConvert(bytes)}.`)
}

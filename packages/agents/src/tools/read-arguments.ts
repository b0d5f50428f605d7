import { suggestion } from '@octavo/protocol/vocabulary'
import { Value } from 'typebox/value'
import { ToolError } from '../ask/tool-error.ts'
import type { Arguments } from '../paging/paging.ts'
import type { Tool } from './tool.ts'

/** The arguments of a call, or an error that says which one to change. `null` counts as absent: models write it so. */
export function readArguments({ name, input }: Pick<Tool, 'name' | 'input'>, given: unknown): Arguments {
  const sent = Object.entries(given ?? {}).filter(([, value]) => value !== null)
  const names = Object.keys(input.properties)
  for (const [sentName, value] of sent) {
    const schema = Object.hasOwn(input.properties, sentName) ? input.properties[sentName] : undefined
    if (schema === undefined) {
      const known = names.length === 0 ? 'no arguments' : names.join(', ')
      const meant = suggestion(sentName, names)
      throw new ToolError(`${name} has no argument "${shortened(sentName)}"${meant}. It has: ${known}.`)
    }
    if (!Value.Check(schema, value)) {
      const { description } = schema as { readonly description?: string }
      throw new ToolError(`The argument "${sentName}" of ${name} does not fit. It is: ${description}`)
    }
  }
  const missing = (input.required ?? []).filter((needed) => !sent.some(([sentName]) => sentName === needed))
  if (missing.length > 0) throw new ToolError(`${name} needs the argument ${missing.join(' and ')}.`)
  return Object.fromEntries(sent)
}

const shortened = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}...` : text)

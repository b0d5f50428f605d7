import { ToolError } from './tool-error.ts'

/** Only the stack limits how deep an argument of an agent may be nested, so that must not be a failure of ours. */
export function jsonOf(value: object, replacer?: (name: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replacer)
  } catch {
    throw new ToolError('The arguments are nested too deeply. Send a flatter query.')
  }
}

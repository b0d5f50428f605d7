import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Collection } from '../exchange/collection.ts'
import { ndjsonOf, WriterFailed, type Writer } from './writer.ts'

/** Runs a command in a shell for each batch, with the lines on its standard input. */
export const commandWriter = (command: string, collection: Collection): Writer => ({
  write: async (lines) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'ignore', 'pipe'],
      env: {
        ...process.env,
        OCTAVO_CONFORMANCE_ONTOLOGY: collection.ontology,
        OCTAVO_CONFORMANCE_TYPE: collection.objectType,
      },
    })
    // A command may ignore its input; its exit code still counts.
    child.stdin.on('error', () => {})
    child.stdin.end(ndjsonOf(lines))
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    if (code !== 0) {
      throw new WriterFailed(
        `The writer command ended with ${String(code)}: ${said.trim().slice(0, 500) || 'it said nothing'}. Check --writer-command.`,
      )
    }
  },
})

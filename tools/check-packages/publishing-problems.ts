import { readFileSync } from 'node:fs'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { isForThisWorkspace } from './entry-points.ts'
import type { PackedPackage } from './pack-all.ts'

/** The problems that publint finds in the tarball. */
export async function publishingProblems({ manifest, tarball }: PackedPackage): Promise<readonly string[]> {
  const bytes = readFileSync(tarball)
  const { messages, pkg } = await publint({
    strict: true,
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
  })
  return messages
    .filter(
      ({ path: [field, entryPoint] }) => !(field === 'exports' && isForThisWorkspace(manifest, entryPoint)),
    )
    .map((message) => formatMessage(message, pkg ?? {}) ?? message.code)
}

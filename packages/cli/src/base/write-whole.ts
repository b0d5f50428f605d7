import { rename, rm, writeFile } from 'node:fs/promises'

/** Written to a temporary file and renamed, so that a reader sees either the old text or the new one. */
export async function writeWhole(
  path: string,
  text: string,
  { mode }: { readonly mode?: number } = {},
): Promise<void> {
  const part = `${path}.part`
  try {
    await writeFile(part, text, mode === undefined ? {} : { mode })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

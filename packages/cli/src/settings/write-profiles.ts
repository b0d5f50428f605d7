// Changes the profiles file. What people wrote there, comments too, stays as it is.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Document, parseDocument } from 'yaml'
import { wrongUse } from '../base/cli-error.ts'
import { profileNamed, readProfiles, type SettingsContext, type Profile } from './profiles-file.ts'

/** Adds the profile or replaces its settings. The first profile becomes the default. Returns whether it is the default. */
export function saveProfile(context: SettingsContext, name: string, profile: Profile): boolean {
  const { path, default: chosen, byName } = readProfiles(context)
  const isDefault = chosen === undefined ? byName.size === 0 : chosen === name
  change(path, (document) => {
    for (const [key, value] of Object.entries(profile)) document.setIn(['profiles', name, key], value)
    if (isDefault) document.set('default', name)
  })
  return isDefault
}

export function chooseProfile(context: SettingsContext, name: string): void {
  const { path } = requireProfile(context, name)
  change(path, (document) => document.set('default', name))
}

/** Returns whether it was the default; then there is none any more. */
export function removeProfile(context: SettingsContext, name: string): boolean {
  const { path, default: chosen } = requireProfile(context, name)
  change(path, (document) => {
    document.deleteIn(['profiles', name])
    if (chosen === name) document.delete('default')
  })
  return chosen === name
}

export function requireProfile(context: SettingsContext, name: string) {
  const profiles = readProfiles(context)
  return { ...profiles, profile: profileNamed(name, profiles) }
}

/** Written to another file first, so that the file is never half written; and nobody else can read it at any time. */
function change(path: string, apply: (document: Document) => void): void {
  const document = documentAt(path)
  apply(document)
  const unfinished = `${path}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(unfinished, document.toString(), { mode: 0o600 })
    chmodSync(unfinished, 0o600)
    renameSync(unfinished, path)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw wrongUse(`The profile cannot be saved to ${path}: ${cause}.`)
  }
}

function documentAt(path: string): Document {
  try {
    const document = parseDocument(readFileSync(path, 'utf8'))
    return document.contents === null ? new Document({}) : document
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Document({})
    throw error
  }
}

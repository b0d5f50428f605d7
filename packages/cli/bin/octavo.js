#!/usr/bin/env node
// There before anything is built, so that npm can link to it when it installs the workspace.
import { existsSync } from 'node:fs'
import process from 'node:process'

const built = new URL('../dist/main.js', import.meta.url)
if (existsSync(built)) {
  await import(built.href)
} else {
  process.stderr.write('octavo is not built: run `npm run build`, or use `npm run --silent octavo --`.\n')
  process.exitCode = 1
}

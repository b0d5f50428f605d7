import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageStages } from '../../packages/service/test/inside.ts'
import { betweenMarks } from './between-marks.ts'

const withStages = (page: string, made: string): string =>
  betweenMarks(readFileSync(join(import.meta.dirname, '../..', page), 'utf8'), 'page stages', made)

/** ARCHITECTURE.md with a picture of the stages of a page, from the table in the code. */
export const architecturePage = (): string => withStages('ARCHITECTURE.md', picture())

/** The README of `read/` with what each stage does. */
export const stagesPage = (): string => withStages('packages/service/src/read/README.md', table())

const stages = Object.entries(pageStages)

function picture(): string {
  const width = (of: (stage: (typeof stages)[number]) => string) =>
    Math.max(...stages.map((stage) => of(stage).length))
  const names = width(([name]) => name)
  const files = width(([, { file }]) => file)
  const questions = width(([, { question }]) => question)
  const lines = stages.map(([name, { file, question, makes }], i) => {
    const corner = i === stages.length - 1 ? '└' : '├'
    const number = String(i + 1).padStart(2)
    return `      ${corner}─ ${number} ${name.padEnd(names)}  ${file.padEnd(files)}  ${question.padEnd(questions)} → ${makes}`
  })
  return [
    '```',
    ' HTTP request',
    '      │',
    ' http/require-right.ts       who is the caller, and do its scopes allow this? (guard/auth)',
    '      │',
    ' http/routes/                the route turns the request into plain values',
    '      │',
    ' read/serve/serve-page.ts    runs the stages',
    ...lines,
    '      │',
    ' http/operation.ts           status, headers, body',
    '```',
  ].join('\n')
}

const table = (): string =>
  [
    '| stage | file | makes | |',
    '| --- | --- | --- | --- |',
    ...stages.map(([name, { file, makes, says }]) => `| \`${name}\` | \`${file}\` | ${makes} | ${says} |`),
  ].join('\n')

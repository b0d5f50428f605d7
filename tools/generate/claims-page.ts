import { claims, sizes } from '../check/claims.ts'

/** docs/reference/claims.md: what `npm run check` tries, from the claims themselves. */
export const claimsPage = (): string =>
  [
    '# What the check claims',
    '',
    '`npm run check` tries each of these sentences that its size includes, and says which are not true. `--only NAME` tries one. A pull request is also checked for claims of `--full` that it may touch, by the paths in `tools/check/claims.ts` (`--touched-since main` does that here). `bash .ci/run` prepares a bare machine and runs the check.',
    '',
    'If a change makes the check of every change take more than 15 minutes, something becomes cheaper or moves to `--full`. The commit says what, and why nothing is lost. If a test takes more than five seconds, the commit says why.',
    '',
    '| size | when |',
    '| --- | --- |',
    ...Object.entries(sizes).map(([size, when]) => `| ${size} | ${when} |`),
    '',
    '| name | size | claim |',
    '| --- | --- | --- |',
    ...claims.map(({ name, size, claim }) => `| \`${name}\` | ${size} | ${claim} |`),
    '',
    'This page is generated from `tools/check/claims.ts` by `npm run generate`.',
    '',
  ].join('\n')

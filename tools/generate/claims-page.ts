import { claims, sizes } from '../check/claims.ts'
import { denseTable } from './dense-table.ts'

/** docs/reference/claims.md: what `npm run check` tries, from the claims themselves. */
export const claimsPage = (): string => `# What the check claims

Which sentences does \`npm run check\` try? Each size includes those before it, and the check says which sentences are not true.
\`--only NAME\` tries one. A pull request is also checked for claims of \`--full\` that it may touch, by the paths in
\`tools/check/claims.ts\` (\`--touched-since main\` does that here). \`bash .ci/run\` prepares a bare machine and runs the check.

If a change makes the check of every change take more than 15 minutes, something becomes cheaper or moves to \`--full\`, and the
commit says what, and why nothing is lost. If a test takes more than five seconds, the commit says why.

${denseTable(['size', 'when'], Object.entries(sizes))}

${denseTable(
  ['name', 'size', 'claim'],
  claims.map(({ name, size, claim }) => [`\`${name}\``, size, claim]),
)}

This page is generated from \`tools/check/claims.ts\` by \`npm run generate\`.
`

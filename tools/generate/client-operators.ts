// The operators of queries for the client, which imports nothing, not even types.
import { queryOperator, queryOperatorNames } from '@octavo/protocol'

export function clientOperators(): string {
  const rows = queryOperatorNames.map((name) => {
    const { value, on } = queryOperator(name)
    return `${name}: { value: '${value}', on: '${on}' },`
  })
  return `// Generated from the operators of the protocol by \`npm run generate\`.
export const operators = {
${rows.join('\n')}
} as const
`
}

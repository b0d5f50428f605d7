import { inAnotherShell, localExports, type LocalExports } from '../local/local-exports.ts'
import { countText, durationText } from '../output/numbers.ts'

interface DemoFacts extends LocalExports {
  /** How many objects there will be. */
  readonly objects: number
  readonly loaded: number
  readonly readyMs: number
  readonly commandName: string
}

const search = '{"query": {"type": "eq", "field": "name:lastName", "value": "Okafor"}, "pageSize": 2}'

const holds = ({ objects, loaded }: DemoFacts): string =>
  loaded < objects
    ? `${countText(loaded)} of ${countText(objects)} objects so far; the others are being loaded`
    : `${countText(objects)} objects`

/** Each command can be pasted unchanged into a shell with the three variables. */
export const demoGreeting = (facts: DemoFacts): string => `
  service    ${facts.url}
  explorer   ${facts.url}/ in a browser, with the token below
  reference  ${facts.url}/docs
  holds      ${holds(facts)}
  types      airport, aircraft, person, flight; all made up
  ready      after ${durationText(facts.readyMs)}

${inAnotherShell(facts.commandName)}

${localExports(facts)}
  # one page of flights, revision 1.0
  curl -H "Authorization: Bearer $OCTAVO_TOKEN" \\
    "$OCTAVO_URL/api/v1/ontologies/$OCTAVO_ONTOLOGY/objects/flight?pageSize=2"

  # people by one of their names, revision 2.0
  curl -H "Authorization: Bearer $OCTAVO_TOKEN" -H "Content-Type: application/json" \\
    -d '${search}' \\
    "$OCTAVO_URL/api/aviation/v1/objects/types/person/search"

  # the latest flights as a table
  ${facts.commandName} list flight --order-by departsAt:desc --limit 10

  # all of them, as they are now, to a file
  ${facts.commandName} export flight --out flights.ndjson

  # an overview
  ${facts.commandName} status

Ctrl-C stops it and removes everything.
`

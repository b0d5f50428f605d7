import { countText, durationText } from '../output/numbers.ts'

interface DemoFacts {
  readonly url: string
  readonly token: string
  readonly rid: string
  readonly objects: number
  readonly readyMs: number
}

const search = '{"query": {"type": "eq", "field": "name:lastName", "value": "Okafor"}, "pageSize": 2}'

/** Each command can be pasted unchanged into a shell with the three variables. */
export const demoGreeting = ({ url, token, rid, objects, readyMs }: DemoFacts): string => `
  service    ${url}
  reference  ${url}/docs
  holds      ${countText(objects)} objects, all made up: airport, aircraft, person, flight
  ready      after ${durationText(readyMs)}

In another shell:

  export OCTAVO_URL=${url}
  export OCTAVO_TOKEN=${token}
  export OCTAVO_ONTOLOGY=${rid}

  # one page of flights, revision 1.0
  curl -H "Authorization: Bearer $OCTAVO_TOKEN" \\
    "$OCTAVO_URL/api/v1/ontologies/$OCTAVO_ONTOLOGY/objects/flight?pageSize=2"

  # people by one of their names, revision 2.0
  curl -H "Authorization: Bearer $OCTAVO_TOKEN" -H "Content-Type: application/json" \\
    -d '${search}' \\
    "$OCTAVO_URL/api/aviation/v1/objects/types/person/search"

  # the latest flights as a table
  octavo list flight --order-by departsAt:desc --limit 10

  # all of them, as they are now, to a file
  octavo export flight --out flights.ndjson

  # an overview
  octavo status

Ctrl-C stops it and removes everything.
`

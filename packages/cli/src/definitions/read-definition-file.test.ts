import { expect, it } from 'vitest'
import { problemText } from './definition-problem.ts'
import { readDefinitionFile } from './read-definition-file.ts'

const problemsOf = (text: string): string => {
  const read = readDefinitionFile('o.yaml', text)
  return read.kind === 'refused' ? read.problems.map(problemText).join('\n') : 'none'
}

const good = `
ontology: { apiName: air, displayName: Air, apiFamilies: [air] }
objectTypes:
  - apiName: flight
    displayName: Flight
    primaryKey: id
    titleProperty: title
    properties:
      id: { type: string }
      title: { type: string }
      crew: { type: { array: { struct: { name: { type: string } } } }, searchable: true }
    policy: { type: eq, field: title, value: { claim: team } }
`

it('reads YAML, and JSON as well', () => {
  expect(
    problemsOf(good.replace('title: { type: string }', 'title: { type: string, searchable: true }')),
  ).toBe('none')
  expect(problemsOf('{\n\t"ontology": {"apiName": "air", "displayName": "Air"}\n}')).toBe('none')
})

it('finds every departure from the schema, with its line, its column and the rule', () => {
  const text = `
ontology:
  apiName: air
  displayNam: Air
objectTypes:
  - apiName: flight
    displayName: Flight
    primaryKey: id
    titleProperty: id
    properties:
      id: { type: string }
      delay: { type: int, searchable: yes }
      "two words": { type: string }
      who: { type: { array: { struct: { name: { type: text } } } } }
    orders:
      - fields: [{ field: id, direction: up }]
    policy: { type: equals, field: id, value: 1 }
  - apiName: 7
    properties: {}
  - flight
`
  expect(problemsOf(text)).toMatchInlineSnapshot(`
    "o.yaml:2:1: ontology: displayName is missing
    o.yaml:4:3: ontology, displayNam: displayNam is not a field here; the fields are apiName, displayName, description, apiFamilies
    o.yaml:12:16: type flight, property delay, type: must be one of string, boolean, integer, long, double, decimal, date, timestamp, not "int"
    o.yaml:12:27: type flight, property delay, searchable: must be true or false, not "yes"
    o.yaml:13:7: type flight, property two words: the name two words must have at most 255 letters, digits, _, - and dots, the first of them a letter
    o.yaml:14:49: type flight, property who, type, array, struct, name, type: must be one of string, boolean, integer, long, double, decimal, date, timestamp, not "text"
    o.yaml:16:9: type flight, order 1, fields: must have at least 2 entries
    o.yaml:16:31: type flight, order 1, fields, 0, direction: must be one of asc, desc, not "up"
    o.yaml:17:15: type flight, policy, type: must be one of empty, eq, lt, lte, gt, gte, in, isNull, prefix, phrase, anyTerm, allTerms, contains, keyword, and, or, not
    o.yaml:18:5: type 2: displayName is missing
    o.yaml:18:5: type 2: primaryKey is missing
    o.yaml:18:5: type 2: titleProperty is missing
    o.yaml:18:5: type 2, apiName: must be a string, not 7
    o.yaml:19:5: type 2, properties: must have at least 1 entries
    o.yaml:20:5: type 3: must be a mapping with apiName, displayName, description, status, visibility, primaryKey, titleProperty, properties, orders, links, policy, not "flight""
  `)
})

it('keeps the rules that no schema can say, at the place that breaks them', () => {
  const text = `
ontology: { apiName: air, displayName: Air }
objectTypes:
  - apiName: flight
    displayName: Flight
    primaryKey: nothing
    titleProperty: delay
    properties:
      delay: { type: integer }
      Delay: { type: string }
  - { apiName: flight, displayName: F, primaryKey: id, titleProperty: id, properties: { id: { type: string } } }
`
  expect(problemsOf(text)).toMatchInlineSnapshot(`
    "o.yaml:6:5: type flight, primaryKey: nothing is not among the properties
    o.yaml:7:5: type flight, titleProperty: delay must be a string
    o.yaml:10:7: type flight, property Delay: differs only in case from delay: rename one of them
    o.yaml:11:7: type flight, apiName: flight is declared twice"
  `)
})

it('says where a file is not valid YAML, or has a key twice', () => {
  expect(problemsOf('ontology: [1\nb: 2\n')).toMatch(/^o\.yaml:2:1: Flow sequence/)
  expect(problemsOf('ontology: {}\nontology: {}\n')).toMatch(/^o\.yaml:2:1: Map keys must be unique/)
  expect(problemsOf('')).toBe(
    'o.yaml:1:1: the file is empty: write ontology and objectTypes in it, or let octavo init write them',
  )
})

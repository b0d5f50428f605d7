import type { Mistakes } from './mistake.ts'

export const reading: Mistakes = {
  'a type in the plural': {
    typed: 'list flights',
    refusedWith: ['no object type flights', 'did you mean flight?', 'There are: airport, flight'],
  },
  'a type with a capital letter': {
    typed: 'export Flight',
    refusedWith: ['no object type Flight', 'did you mean flight?'],
  },
  'a type of another ontology': {
    typed: 'describe invoice',
    says: ['no object type invoice', 'It has airport, flight'],
  },
  'a misspelled property in a condition': {
    typed: "list flight --where 'orgin eq BER'",
    says: ['no property orgin', 'did you mean origin?'],
  },
  'a property in small letters': {
    typed: "list flight --where 'departsat gt 2026-01-01T00:00:00Z'",
    says: ['no property departsat', 'did you mean departsAt?'],
  },
  'a condition without blanks': {
    typed: "list flight --where 'origin=BER'",
    says: ['a field, an operator and a value', "not 'origin=BER'", 'The operators are eq'],
  },
  'an operator of SQL': {
    typed: "list flight --where 'origin = BER'",
    says: ['= is not an operator', 'did you mean eq?'],
  },
  like: { typed: "list flight --where 'origin like B%'", says: ['did you mean prefix?'] },
  'two conditions in one': {
    typed: "list flight --where 'origin eq BER and delay gt 5'",
    says: ['more than one condition', 'give each its own --where', '--query'],
  },
  'contains of a text': {
    typed: "list flight --where 'origin contains BE'",
    refusedWith: ['prefix, phrase, anyTerm, allTerms', 'instead of contains'],
  },
  'a text where a number must be': {
    typed: "list flight --where 'delay eq abc'",
    says: ['must be of the type integer', '"abc"'],
  },
  'a date where a time must be': {
    typed: "list flight --where 'departsAt gt 2026-10-01'",
    refusedWith: ['departsAt', 'such as "2021-05-01T12:00:00.123456Z"'],
  },
  'a condition without a value': {
    typed: "list flight --where 'origin eq'",
    says: ['has no value', 'add it'],
  },
  'yes for true': {
    typed: "list flight --where 'cancelled eq yes'",
    says: ['must be true or false', '"yes"'],
  },
  'a property that is not searchable': {
    typed: "list flight --where 'note eq x'",
    refusedWith: ['Query id, origin', 'add "searchable": true to the definition of note'],
  },
  'a misspelled property to order by': {
    typed: 'list flight --order-by dealy',
    refusedWith: ['no property dealy', 'did you mean delay?'],
  },
  'a property that is not sortable': {
    typed: 'list flight --order-by note',
    refusedWith: ['Order by one of', 'add "sortable": true to the property note'],
  },
  'an order in the words of SQL': {
    typed: "list flight --order-by 'delay desc'",
    says: ['such as startedOn:desc', '"delay desc"'],
  },
  'an order with a minus sign': {
    typed: 'list flight --order-by -delay',
    says: ['with :asc or :desc', '"-delay"'],
  },
  'a misspelled column': {
    typed: 'list flight --columns id,orgin',
    says: ['no property orgin', 'did you mean origin?'],
  },
  'a misspelled property to count by': {
    typed: 'count flight --by orgin',
    says: ['no property orgin', 'did you mean origin?'],
  },
  'a key that does not exist': {
    typed: 'get flight F1',
    refusedWith: ['There is no flight with the key F1', 'check the key'],
  },
  'a text for a key that is a number': {
    typed: 'get airport BER',
    refusedWith: [
      'There is no airport with the key BER',
      'check the key',
      'The keys of airport are integers',
    ],
  },
  'the links of an object that does not exist': {
    typed: 'links flight F1 airport',
    refusedWith: ['There is no flight with the key F1'],
  },
  'a misspelled link': {
    typed: 'links flight f1 aiport',
    refusedWith: ['no link aiport', 'did you mean airport?'],
  },
  'a query that is no JSON': {
    typed: 'search flight --query origin:BER',
    says: ['not valid JSON', `--query '{"type":"keyword"`, '--query @FILE', '--where'],
  },
  'a query in double quotation marks': {
    typed: 'search flight --query "{type:eq}"',
    says: ['must be a mapping with a type, which is one of empty, eq'],
  },
  'a type of query of another product': {
    typed: `search flight --query '{"type":"match","field":"origin","value":"BER"}'`,
    says: ['query.type must be one of empty, eq'],
  },
  'a misspelled property in a query': {
    typed: `search flight --query '{"type":"eq","field":"orgin","value":"BER"}'`,
    refusedWith: ['no property orgin', 'did you mean origin?'],
  },
  'a file of a query that is not there': { typed: 'search flight --query @q.json', says: ['no file q.json'] },
  'a search for nothing': { typed: 'search flight', says: ['--query or --where', 'octavo list'] },
  'a word for a snapshot token': {
    typed: 'list flight --at yesterday',
    refusedWith: ['not a snapshot token of this service', 'octavo snapshot'],
  },
  'a snapshot token that was not copied whole': {
    typed: 'export flight --at $PART_OF_SNAPSHOT',
    refusedWith: ['not all of it', 'octavo snapshot', 'whole'],
  },
  'a snapshot token of another type': {
    typed: 'list airport --at $SNAPSHOT',
    refusedWith: ['does not name the state of airport', 'octavo snapshot airport'],
  },
  'a word for a time': {
    typed: 'snapshot --as-of yesterday',
    says: ['--as-of must be a time with its zone, such as 2026-05-01T09:30:00Z', '"yesterday"'],
  },
  'a date for a time': {
    typed: 'snapshot --as-of 2026-01-01',
    says: ['--as-of must be a time with its zone', 'or a version'],
  },
  'a time to come': {
    typed: 'snapshot --as-of 2099-01-01T00:00:00Z',
    says: ['--as-of must be a time that has passed', 'by the clock of the database it is'],
  },
  'a version of all types': {
    typed: 'snapshot --as-of 3',
    says: ['every object type counts its own', 'name one type'],
  },
  'a version to come': { typed: 'snapshot flight --as-of 999', says: ['--as-of must be a version up to 1'] },
  'a state that is no longer kept': {
    typed: 'snapshot flight --as-of 2001-01-01T00:00:00Z',
    refusedWith: ['Name a time from 2', 'older states are no longer kept'],
  },
  'a time where a state must be': {
    typed: 'changes flight --since yesterday',
    says: ['--since must be a snapshot token, or a file', 'octavo snapshot prints a token'],
  },
  'a file without a snapshot token': {
    typed: 'changes flight --since old.ndjson',
    files: { 'old.ndjson': '{"id":"f1"}\n' },
    says: ['The last line of old.ndjson has no snapshot token', 'octavo snapshot'],
  },
  'changes without a state': { typed: 'changes flight', says: ["required option '--since <TOKEN|FILE>'"] },
}

// The clauses that the kit checks, or for which it knows why it cannot, in the sections of PROTOCOL.md, each as one short
// sentence for the report. PROTOCOL.md has the exact text; a test compares the numbers and sections of the two.

const clauses = {
  Envelope: {
    P1: 'A response with several objects has the field data, always an array.',
    P2: 'When more results exist, nextPageToken is a non-empty string.',
    P3: 'When no more results exist, there is no nextPageToken, also if the last page is exactly full.',
    P4: 'In revision 2.0 no server sends "nextPageToken": null.',
    P5: 'While more results exist, every page holds at least one.',
    P6: 'nextPageToken is left out only at the proven end of the collection.',
    P7: 'A client concludes nothing from the number of results.',
    P8: 'A page ends early at 8 MiB of what is sent, but has at least one object.',
    P9: 'A client ignores fields that it does not know.',
    P151: 'A page has the header Content-Digest if the request wants it, and not otherwise.',
    P152: 'An answer has the X-Request-Id of its request, or a new one.',
    P181: 'HEAD is answered like GET, without a body.',
    P211: 'An answer with one object type or object has an ETag; If-None-Match with it is answered 304.',
    P212: 'A request that would be refused is refused whichever tag it carries.',
    P150: 'The pages of a snapshot walk all have the same snapshotVersion, and in revision 2.0 the total.',
  },
  'Page tokens': {
    P10: 'A page token holds only letters, digits, - and _, and at most 8,192 characters.',
    P11: 'A token that was changed or made up is refused as malformed.',
    P12: 'A token is refused as expired when its lifetime is over, 15 minutes unless the deployment says otherwise.',
    P13: 'A token is valid on every instance and after restarts.',
    P14: 'A token is refused to another caller.',
    P15: 'A token used twice gives the same position; in snapshot mode the same data byte for byte.',
    P16: 'A server keeps nothing for a walk.',
    P17: 'A deployment has no built-in sealing key.',
    P18: 'A request without a page token starts a new walk at the first object.',
  },
  'Page size': {
    P19: 'A page is never larger than the page size that was asked for, or the default.',
    P20: 'A page size above the maximum is reduced to it, not refused.',
    P21: 'A page size that is zero, negative or not an integer is refused with InvalidPageSize.',
    P22: 'The page size may change within a walk.',
    P23: 'Default and maximum: list objects 1,000 and 1,000, search 100 and 1,000.',
  },
  'Request identity': {
    P24: 'Every request of a walk repeats the first one, apart from pageToken and pageSize.',
    P25: 'A token used with another request is refused, with the parts that changed.',
    P26: 'Requests are compared by meaning, not by text.',
    P27: 'A parameter or field that is not defined is refused with UnknownParameter.',
    P28: 'The query parameter preview is accepted and has no effect.',
    P29: 'A query parameter that takes one value is refused when given several times.',
  },
  Modes: {
    P30: 'snapshot is true or false; no parameter is false.',
    P31: 'Lists of anything but objects take snapshot=false and refuse snapshot=true.',
    P32: 'In default mode every page shows the latest committed state.',
    P33: 'In default mode and key order, an object that exists all through the walk comes exactly once.',
    P34: 'In another order, an object whose order values stay the same comes exactly once.',
    P35: 'All pages of a snapshot walk show the state of one commit, that of the first page.',
    P36: 'A snapshot is kept for the retention time; after that it is refused with ConsistentSnapshotError.',
    P37: 'A page shows whole commits only.',
    P38: 'An acknowledged commit is in every page that is requested afterwards.',
  },
  Order: {
    P39: 'Every order is total: the primary key decides between equal values.',
    P40: 'Objects without a value come last, in both directions.',
    P41: 'Without orderBy the order is that of the primary key; a filtered walk keeps one order.',
    P42: 'A walk can be ordered by the primary key, each sortable property and declared orders.',
    P43: 'Any other order is refused with PropertiesNotSortable.',
    P44: 'An order names at most 4 properties, each once.',
    P45: 'Strings are ordered by code point, numbers and times by value, false before true.',
  },
  Values: {
    P46: 'A property without a value is left out; null is never sent.',
    P47: 'string travels as a JSON string.',
    P48: 'boolean, integer and double travel as JSON values.',
    P49: 'long travels as a string of digits.',
    P50: 'decimal travels as a string in plain notation.',
    P51: 'date travels as 2021-05-01.',
    P52: 'timestamp travels as ISO 8601 in UTC.',
    P57: 'Every object of revision 1.0 has a rid of its own.',
  },
  'Revision 1.0': {
    P58: 'Objects are listed by GET with the page parameters in the query string.',
    P59: 'A record has rid and scalar properties.',
    P60: 'properties selects what is returned; the primary key always is.',
    P61: 'orderBy is a comma-separated list of properties.{property}:{asc|desc}.',
    P62: 'A filter is properties.{property}.{operator}; what only looks like one is refused.',
    P63: 'Several eq hold if any does; different filters must all hold.',
    P64: 'Filters that contradict each other are refused.',
    P65: 'A filter on a property that is not searchable is refused with PropertiesNotFilterable.',
    P66: 'neq holds only for objects that have a value.',
    P67: 'Property names in the URL are matched without regard to case.',
    P68: 'totalCount is the exact number of objects of an unfiltered listing, as a string.',
    P69: 'totalCount of a filtered listing is exact up to 10,000, and marked as a bound beyond.',
    P70: 'One walk returns at most 10,000 objects.',
    P71: 'If more exist, the page with the 10,000th object has a token, whose use is ObjectsExceededLimit.',
    P72: 'Ontologies are listed and returned one by one.',
    P73: 'Object types are listed and returned one by one.',
    P74: 'One object is returned by its primary key, or refused with ObjectNotFound.',
  },
  'Revision 2.0': {
    P75: 'An unknown API family is refused with ApiFamilyNotFound.',
    P76: 'A search is a POST with a JSON body that has a query.',
    P180: 'A field of the body of a search that is null counts as absent.',
    P77: 'The page token of a POST is in the body, that of a GET in the query string.',
    P78: 'A record has primaryKey and objectType as strings, and properties.',
    P79: 'A many-valued property is an array; a single-valued one is not.',
    P80: 'A missing direction is asc.',
    P81: 'select returns the named properties and the primary key.',
    P82: 'Search has no limit on the number of objects over all pages.',
    P83: 'An object type says of each property its type, searchable and sortable.',
  },
  'Query language': {
    P85: 'The query empty matches every object.',
    P87: 'in holds if any value of the list is equal; an empty list matches nothing.',
  },
  Errors: {
    P102: 'Every refusal has the body {errorCode, errorName, errorInstanceId, parameters, errorDescription}.',
    P103: 'errorName and its parameters are those of the table of errors.',
    P104: 'errorInstanceId is a new UUID for every error.',
    P105: 'The status follows from errorCode.',
    P106: '429 and 503 carry Retry-After.',
    P107: 'A body that is not JSON or not of the shape is refused with Conjure:UnprocessableEntity.',
    P108: 'A missing body, a wrong content type, an unknown path and a wrong method have refusals of their own.',
    P182: 'A path with an empty segment is an unknown path.',
    P109: 'An unknown object type or property is refused by name.',
    P184: 'A refusal of an unknown name offers those that exist.',
    P110: 'No input of a caller causes an internal error.',
  },
  Limits: {
    P111: 'A URL has at most 16 KiB and a JSON body 1 MiB; more is refused with RequestTooLarge.',
    P112: 'Strings that are too long to be keys or to be sorted are refused when written.',
    P113: 'A page that is not full after 10 seconds ends once it has a match and it is known whether another follows.',
    P114: 'Limits of a deployment are answered with RateLimited or Overloaded.',
    P165: 'A request that would have to wait too long is refused at once.',
    P166: 'Waiting requests are served in turns that are fair to every caller.',
    P197: 'Lists and definitions wait for their turn as pages do.',
    P167: 'A page that is not ready in time is given up.',
    P168: 'A client that does not read its pages does not block those of others.',
  },
  'Authentication and access': {
    P115: 'Every request, including that for each page, carries a valid bearer token.',
    P116: 'Authentication is checked before anything else in a request.',
    P120: 'An ontology without a grant looks like one that does not exist.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

type SectionName = keyof typeof clauses

interface ClauseEntry {
  readonly section: string
  readonly rule: string
}

export const clauseEntries: ReadonlyMap<string, ClauseEntry> = new Map(
  Object.entries(clauses).flatMap(([section, rules]) =>
    Object.entries<string>(rules).map(([clause, rule]) => [clause, { section, rule }] as const),
  ),
)

/** The sections that are about paging: each of their clauses has a case, or a reason why it has none. */
export const pagingSections = [
  'Envelope',
  'Page tokens',
  'Page size',
  'Request identity',
  'Modes',
  'Order',
  'Revision 1.0',
  'Revision 2.0',
  'Errors',
  'Limits',
] as const satisfies readonly SectionName[]

/** Clauses of these sections that cannot be observed from outside, and why. */
export const unseenClauses: Readonly<Record<string, string>> = {
  P7: 'binds clients, not servers',
  P9: 'binds clients, not servers',
  P16: 'what a server keeps cannot be seen by its callers',
  P17: 'is about how a server starts',
  P184: 'is help for people: each server decides which names it considers similar',
  P106: 'a server cannot be overloaded from outside without harm; the kit obeys Retry-After when it meets it',
  P112: 'is about writing, for which a server may have another API',
  P113: 'needs a collection that takes longer than 10 seconds to scan',
  P114: 'is about limits that each deployment sets for itself',
  P165: 'a server cannot be overloaded from outside without harm',
  P166: 'a server cannot be overloaded from outside without harm',
  P197: 'a server cannot be overloaded from outside without harm',
  P167: 'needs a page that takes longer than a deployment allows',
  P168: 'a server cannot be overloaded from outside without harm',
}

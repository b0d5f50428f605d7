// Every number a caller can run into. The specification states the same numbers; a test compares the two.

const KIB = 1024
const MIB = 1024 * KIB

export const limits = {
  page: {
    /** Revision 1.0: list objects and list ontologies. */
    listDefault: 1000,
    listMaximum: 1000,
    /** Both revisions: list object types. */
    objectTypesDefault: 500,
    objectTypesMaximum: 500,
    /** Revision 2.0: search. */
    searchDefault: 100,
    searchMaximum: 1000,
    /** Every list under /manage/v1. */
    manageDefault: 100,
    manageMaximum: 1000,
    /** Bytes of object JSON in one page. One object is always sent, however large. */
    byteBudget: 8 * MIB,
  },
  walk: {
    /** Revision 1.0 list objects: the most objects in one walk, over all its pages. */
    listObjects: 10_000,
    /** A filtered list stops counting here for `totalCount`. */
    countedMatches: 10_000,
  },
  pageToken: {
    /** The default; a deployment may change it. */
    lifeSeconds: 900,
    /** Four order keys of 1,000 bytes and a primary key of 1,024, sealed and encoded, stay below this. */
    characters: 8192,
  },
  snapshot: { retentionSeconds: 3600 },
  snapshotToken: {
    /** Object types whose state one token names. */
    objectTypes: 100,
    characters: 8192,
  },
  partitions: { maximum: 64 },
  changes: {
    waitSeconds: 30,
    /** The default; a deployment may change it. */
    keptDays: 7,
  },
  subscription: {
    /** Subscriptions of one connection. */
    perConnection: 100,
    /** Connections of one instance and those of one caller, and the subscriptions of all of them and those of one caller. */
    connections: 5_000,
    connectionsOfCaller: 1_000,
    all: 20_000,
    allOfCaller: 2_000,
    /** A difference with more objects or bytes is not sent: the client is told to load the set again. */
    objects: 1_000,
    bytes: 256 * KIB,
    /** Of a message that a client sends. */
    messageBytes: 1 * MIB,
    /** The answer to a message has at most so many bytes for each byte of it, and some more. */
    answerPerByte: 10,
    answerBytes: 4 * KIB,
    messagesPerSecond: 10,
    /** What has arrived on all connections of a caller and is not answered yet; and as much may wait for them to be taken. */
    bytesOfCaller: 16 * MIB,
    /** Messages that have arrived and are not answered yet. */
    unanswered: 100,
    /** A client that takes nothing, or from which nothing comes, for so long is disconnected. */
    silentSeconds: 120,
  },
  query: {
    depth: 5,
    nodes: 100,
    inValues: 1000,
    /** The values of all `in` of a query together: each is checked, planned and sent to the database. */
    allInValues: 5_000,
    textBytes: 1 * KIB,
    /** Links that one query follows. */
    links: 5,
  },
  order: { keys: 4 },
  aggregate: {
    /** The default of how many objects one may read; a deployment may change it. */
    objects: 100_000,
    metrics: 10,
    groupings: 3,
    groups: 10_000,
    ranges: 100,
    /** The most units of a duration by which times are grouped. */
    durationUnits: 10_000,
  },
  value: {
    primaryKeyBytes: 1024,
    sortableStringBytes: 1_000,
    /** Of the strings of a declared order and the primary key together. */
    orderedBytes: 2_600,
    /** For a searchable array of strings, each value is limited to sortableStringBytes instead. */
    searchableStringBytes: 256 * KIB,
    decimalDigits: 38,
    fractionalSecondDigits: 6,
  },
  definition: {
    nameCharacters: 255,
    familyCharacters: 64,
    textCharacters: 4096,
    properties: 500,
    structComponents: 50,
    orders: 16,
    links: 50,
  },
  request: {
    urlBytes: 16 * KIB,
    headerBytes: 32 * KIB,
    bodyBytes: 1 * MIB,
    /** Larger ones are parsed one after another. */
    smallBodyBytes: 64 * KIB,
    batchLineBytes: 16 * MIB,
    batchBytes: 1024 * MIB,
    batchProblems: 20,
    idempotencyKeyCharacters: 255,
    idempotencyKeyKeptSeconds: 86_400,
  },
  /** Of the body of an error, page tokens aside. */
  error: { bytes: 4 * KIB },
  load: {
    /** Kept in memory until it is stored: every line of a batch fits into a part. */
    partBytes: 32 * MIB,
    /** Loads of an ontology that are begun and neither finished nor given up; each has its own table. */
    unfinished: 20,
  },
  replace: {
    /** The share of the objects of a type that a replacement may delete unless the request allows more. */
    deletedPercent: 10,
    /** So many it may always delete: of a small type, the share is less than one object. */
    deletedObjects: 1,
  },
  agents: {
    /** JSON text of one answer of a tool (P371). */
    answerBytes: 32 * KIB,
    errorBytes: 4 * KIB,
  },
  time: {
    /** After this time a page ends with one match, as soon as it is known whether another one follows. */
    scanSeconds: 10,
  },
} as const

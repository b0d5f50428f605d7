import type { Mistake, Mistakes } from './mistake.ts'

const right = `ontology: { apiName: air, displayName: Air, apiFamilies: [air] }
objectTypes:
  - apiName: plane
    displayName: Plane
    primaryKey: id
    titleProperty: id
    properties:
      id: { type: string }
`

const applying = (content: string | Uint8Array, file = 'air.yaml'): Pick<Mistake, 'typed' | 'files'> => ({
  typed: `apply -f ${file} --yes`,
  files: { [file]: content },
})

/** Eight lines that stand for 9 to the 7th values. */
const bomb = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  .map(
    (name, i, names) =>
      `${name}: &${name} [${
        i === 0
          ? 'x'
          : Array(9)
              .fill(`*${names[i - 1]}`)
              .join()
      }]\n`,
  )
  .join('')

export const declaring: Mistakes = {
  'a file that is not there': { typed: 'apply -f nope.yaml', says: ['no file nope.yaml', 'check its name'] },
  'a folder for a file': {
    typed: 'apply -f types --yes',
    files: { 'types/': '' },
    says: ['types is a folder', 'give the name of a file'],
  },
  'an empty file': {
    ...applying(''),
    says: ['air.yaml:1:1', 'the file is empty', 'ontology and objectTypes', 'octavo init'],
  },
  'nothing on standard input': { typed: 'apply -f - --yes', says: ['the file is empty', 'octavo init'] },
  'broken YAML': {
    ...applying(right.replace('air]', 'air')),
    says: ['air.yaml:1:63', 'Flow sequence', 'must be'],
  },
  'a tab for spaces': {
    ...applying(right.replace('      id', '\t  id')),
    says: ['air.yaml:8:1', 'a tab indents this line', 'use spaces'],
  },
  'aliases that stand for gigabytes': {
    ...applying(`${bomb}ontology: *h\n`),
    says: ['aliases (*NAME) stand for too much', 'write out'],
  },
  'two documents in a file': {
    ...applying(`${right}---\n${right}`),
    says: ['air.yaml:9:1', 'a second document', 'separate file'],
  },
  'a picture for a name': {
    ...applying(right.replace('Plane', 'x'.repeat(10_000_000))),
    says: ['displayName: must have at most 255 characters', 'xxx…'],
  },
  'a list for a definition': {
    ...applying('[{"apiName":"plane"}]', 'air.json'),
    says: ['air.json:1:1', 'must be a mapping with ontology, objectTypes'],
  },
  'objects for a definition': {
    ...applying('id,name\n1,x\n', 'planes.csv'),
    says: ['planes.csv:1:1', 'must be a mapping with ontology, objectTypes'],
  },
  'a file in Latin-1': {
    ...applying(Buffer.from(right.replace('Plane', 'Flugger\xe4t'), 'latin1')),
    says: ['air.yaml must be text in UTF-8', 'iconv -f WINDOWS-1252 -t UTF-8'],
  },
  'a file in UTF-16': {
    ...applying(Buffer.from(`\ufeff${right}`, 'utf16le')),
    says: ['air.yaml must be text in UTF-8', 'iconv -f UTF-16 -t UTF-8'],
  },
  'a misspelled key': {
    ...applying(right.replace('primaryKey', 'primarykey')),
    says: ['air.yaml:5:5', 'primarykey is not a field here', 'primaryKey'],
  },
  'a type of SQL': {
    ...applying(right.replace('type: string', 'type: varchar')),
    says: ['air.yaml:8:13', 'must be one of string, boolean, integer', '"varchar"'],
  },
  'no primary key': {
    ...applying(right.replace(/ +primaryKey.*\n/, '')),
    says: ['type plane', 'primaryKey is missing'],
  },
  'a primary key in capital letters': {
    ...applying(right.replace('primaryKey: id', 'primaryKey: ID')),
    says: ['ID is not among the properties', 'did you mean "id"?'],
  },
  'a title that is no property': {
    ...applying(right.replace('titleProperty: id', 'titleProperty: name')),
    says: ['titleProperty: name is not among the properties'],
  },
  'a name with a blank': {
    ...applying(right.replace('apiName: plane', 'apiName: my plane')),
    says: ['"my plane" must have at most 255 letters, digits, _, - and dots'],
  },
  'a property declared twice': {
    ...applying(`${right}      id: { type: long }\n`),
    says: ['air.yaml:9:7', 'must be unique'],
  },
  'a link to a misspelled type': {
    ...applying(
      `${right}    links: { at: { objectType: airprt, foreignKeyProperty: id, reverse: planes } }\n`,
    ),
    refusedWith: ['no object type airprt', 'did you mean "airport"?'],
  },
  'another type for a property': {
    ...applying(
      right
        .replace('apiName: plane', 'apiName: airport')
        .replaceAll(' id', ' code')
        .replace('string }', 'string }\n      city: { type: string, searchable: true }'),
    ),
    refusedWith: [
      'Property code cannot change from Integer to String',
      'add a new property instead',
      'Nothing was changed',
    ],
  },
  'a property that has values is left out': {
    ...applying(
      right
        .replace('apiName: plane', 'apiName: airport')
        .replaceAll(' id', ' code')
        .replace('string', 'integer'),
    ),
    refusedWith: ['Property city cannot be removed', 'Keep it in the definition'],
  },
  'init of a file that is not there': {
    typed: 'init planes.csv',
    says: ['no file planes.csv', 'check its name'],
  },
  'init into a folder that is not there': {
    typed: 'init planes.csv --out types/plane.yaml',
    files: { 'planes.csv': 'id,name\n1,a\n2,b\n' },
    says: ['no folder types', 'create it'],
  },
  'init over a definition': {
    typed: 'init planes.csv',
    files: { 'planes.csv': 'id,name\n1,a\n2,b\n', 'planes.yaml': right },
    says: ['planes.yaml is already there', '--force', '--out'],
  },
  'init of a file without a key': {
    typed: 'init planes.csv',
    files: { 'planes.csv': 'a,b\n1,x\n1,x\n' },
    says: ['no column that could be the key', 'Add a column', "--key 'a'"],
  },
  'init with a column that is not there': {
    typed: 'init planes.csv --key ID',
    files: { 'planes.csv': 'id,b\n1,x\n' },
    says: ['no column ID', 'it has id, b'],
  },
  'init of an Excel file': {
    typed: 'init planes.xlsx',
    files: { 'planes.xlsx': 'PK\u0003\u0004' },
    says: ['planes.xlsx does not tell the format', 'Save it as CSV in UTF-8'],
  },
  'init of a list in JSON': {
    typed: 'init planes.json',
    files: { 'planes.json': '[{"id":1}]' },
    says: ['no row that can be read', "jq -c '.[]'"],
  },
}

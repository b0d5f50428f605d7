import { gzipSync } from 'node:zlib'
import type { Mistake, Mistakes } from './mistake.ts'

const header = 'id,origin,airportCode,delay,departsAt,cancelled,note\n'
const row = 'f1,BER,1,1,2026-01-01T00:00:00Z,false,x\n'
const excel = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200, 7)])

const from = (
  content: string | Uint8Array,
  { file = 'f.csv', command = 'load', flags = '' } = {},
): Pick<Mistake, 'typed' | 'files'> => ({
  typed: `${command} flight ${file} ${flags}`,
  files: { [file]: content },
})
const replacing = (content: string | Uint8Array, file = 'f.csv') =>
  from(content, { file, command: 'replace', flags: '--yes' })

/** Whole records are rejected, and the others loaded. */
const rejected = { exitCode: 3 } as const

export const loading: Mistakes = {
  'a misspelled column': {
    ...from(header.replace('origin', 'orgin') + row),
    says: ['f.csv, line 1', 'the column orgin is not a property of flight', 'which has id, origin', 'Rename'],
  },
  'a column too many': {
    ...from(header.replace('note', 'note,gate') + row.replace('x', 'x,A1')),
    says: ['the column gate is not a property', 'Rename or remove the column, or add the property'],
  },
  'columns that are missing': {
    ...from('id,origin\nf1,BER\n'),
    says: ['there are no columns airportCode', '--merge', '--columns-are-whole'],
  },
  'no column of the key': {
    ...from('origin,delay\nBER,1\n'),
    says: ['no column id, the primary key of flight', 'add it'],
  },
  'no header': { ...from(row), says: ['f.csv, line 1', 'the columns f1, BER', 'which has id, origin'] },
  'a column twice': {
    ...from(header.replace('note', 'note,note') + row.replace('x', 'x,y')),
    says: ['the column note appears twice', 'remove one of them'],
  },
  semicolons: {
    ...from((header + row).replaceAll(',', ';')),
    says: [`separated by ";": add --delimiter ';'`],
  },
  'a file with tabs': {
    ...from((header + row).replaceAll(',', '\t'), { file: 'f.tsv' }),
    says: ['f.tsv does not tell the format', `--format csv --delimiter '\\t'`],
  },
  'Latin-1': {
    ...from(Buffer.from(header + row.replace('x', '\xfc'), 'latin1')),
    says: ['f.csv, line 2', 'must be UTF-8', 'iconv -f WINDOWS-1252'],
    ...rejected,
  },
  'UTF-16': {
    ...from(Buffer.from(`\ufeff${header}${row}`, 'utf16le')),
    says: ['must be UTF-8', 'iconv -f UTF-16 -t UTF-8'],
  },
  'an Excel file': { ...from(excel, { file: 'f.xlsx' }), says: ['save it as CSV in UTF-8'] },
  'an Excel file named csv': {
    ...from(excel),
    says: ['f.csv is a zip file, as Excel writes them', 'save it as CSV'],
  },
  'a Parquet file named csv': {
    ...from('PAR1....'),
    says: ['f.csv is a Parquet file', 'write it as CSV or NDJSON first'],
  },
  'a quotation mark without an end': {
    ...from(`${header}f1,"BER,1,1,2026-01-01T00:00:00Z,false,x\n`),
    says: ['f.csv, line 2', 'origin must end with a quote', '""'],
    ...rejected,
  },
  'a date as people write it': {
    ...from(header + row.replace('2026-01-01T00:00:00Z', '01.02.2026')),
    says: ['departsAt must be a string such as "2021-05-01T12:00:00.123456Z"', '"01.02.2026"'],
    ...rejected,
  },
  'a number with a comma': {
    ...from(header + row.replace('BER,1,1', 'BER,1,"1,5"')),
    says: ['delay must be', 'integer', '"1,5"'],
    ...rejected,
  },
  'a row that is too short': {
    ...from(`${header}f1,BER\n`),
    says: ['line 2', 'must have 7 cells like the header, not 2'],
    ...rejected,
  },
  'a row without a key': {
    ...from(header + row.replace('f1', '')),
    says: ['line 2: id must have a value', 'Correct the records and load them'],
    ...rejected,
  },
  'JSON named csv': { ...from('{"id":"f1"}\n'), says: ['the header is JSON', 'add --format ndjson'] },
  'CSV named ndjson': {
    ...from(header + row, { file: 'f.ndjson' }),
    says: ['line 1', 'must be JSON on one line', 'if the file is CSV, add --format csv'],
    ...rejected,
  },
  'CSV on standard input': {
    typed: 'load flight -',
    input: header + row,
    says: ['must be JSON on one line', 'add --format csv'],
    ...rejected,
  },
  'JSON over several lines': {
    ...from('{\n"id": "f1"\n}\n', { file: 'f.json' }),
    says: ['must be JSON on one line', 'jq -c .'],
    ...rejected,
  },
  'a list in JSON': {
    ...from('[{"id":"f1"}]\n', { file: 'f.json' }),
    says: ['is a list', "jq -c '.[]'"],
    ...rejected,
  },
  'a text for a key that is a number': {
    typed: 'load airport a.ndjson',
    files: { 'a.ndjson': '{"code":"BER"}\n' },
    says: ['code must be a JSON integer', '"BER"'],
    ...rejected,
  },
  'a gzip file that was not copied whole': {
    ...from(gzipSync(header + row.repeat(50)).subarray(0, 60), { file: 'f.csv.gz' }),
    says: ['cannot be decompressed', 'damaged or incomplete', 'Create it again'],
  },
  'an empty file': { ...from(''), says: ['f.csv is empty', 'first line must name the columns'] },
  'a file that is not there': { typed: 'load flight f.csv', says: ['no file f.csv', 'check its name'] },
  'a folder': {
    typed: 'load flight flights',
    files: { 'flights/': '' },
    says: ['flights is a folder', 'give the files in it'],
  },
  'a URL': {
    typed: 'load flight https://example.com/f.csv',
    says: ['https://example.com/f.csv is not a file', 'download it first'],
  },
  'no file': { typed: 'load flight', says: ['Give a file, or a table', '--from-table'] },
  'the file before the type': {
    typed: 'load f.csv flight',
    files: { 'f.csv': header + row },
    says: ['f.csv is not an object type', 'the type comes first'],
  },
  'a type in the plural': {
    typed: 'load flights f.csv',
    files: { 'f.csv': header + row },
    says: ['no object type flights', 'did you mean flight?'],
  },
  'a delimiter in words': {
    ...from(header + row, { flags: '--delimiter tab' }),
    says: ["'tab' is invalid", 'one character'],
  },
  'a replacement by a part of the objects': {
    ...replacing(header + row),
    refusedWith: [
      'would delete 19 of 20',
      'Check that it has every object',
      '--max-deletions 19',
      'Nothing was changed',
    ],
  },
  'a replacement by a header alone': {
    ...replacing(header),
    refusedWith: [
      'f.csv has no records',
      'would delete all objects of flight',
      'Nothing was changed',
      'octavo delete',
    ],
  },
  'a replacement by an empty file': {
    ...replacing('', 'f.ndjson'),
    refusedWith: ['f.ndjson has no records', 'why it is empty', 'Nothing was changed'],
  },
  'a replacement by a file with a wrong value': {
    ...replacing(header + row.replace('BER,1,1', 'BER,1,late')),
    refusedWith: [
      'f.csv, line 2: delay must be',
      '"late"',
      'Nothing was replaced',
      'Correct it and try again',
    ],
  },
  'a replacement by columns of a part': {
    ...replacing('id,origin\nf1,BER\n'),
    says: ['there are no columns', '--columns-are-whole'],
  },
  'a limit in words': {
    ...from(header + row, { command: 'replace', flags: '--max-deletions half' }),
    says: ["'half' is invalid", 'such as 500, or a percentage'],
  },
  'a table of no database': {
    typed: 'load flight --from-table flights',
    says: ['Which database has the table flights?', '--source-url', 'OCTAVO_SOURCE_URL'],
  },
  'a password in the url of a database': {
    typed: 'load flight --from-table flights --source-url postgres://ada:hush@127.0.0.1/shop',
    says: ['would show a password', 'OCTAVO_SOURCE_URL', 'PGPASSWORD'],
  },
  'another kind of database': {
    typed: 'load flight --from-table flights --source-url mysql://127.0.0.1/shop',
    says: ['must be of the form postgres://'],
  },
  'a database that does not run': {
    typed: 'load flight --from-table flights --source-url postgres://127.0.0.1:1/shop',
    refusedWith: ['The source database failed', 'check that it runs, and the host and port'],
  },
  'a table that does not exist': {
    typed: 'load flight --from-table fligths',
    environment: { OCTAVO_SOURCE_URL: '$DATABASE_URL' },
    says: ['no table or view fligths', 'The database has'],
  },
  'a replacement by an empty table': {
    typed: 'replace flight --from-table empty_flights --yes',
    environment: { OCTAVO_SOURCE_URL: '$DATABASE_URL' },
    refusedWith: ['empty_flights has no records', 'why it is empty', 'Nothing was changed'],
  },
}

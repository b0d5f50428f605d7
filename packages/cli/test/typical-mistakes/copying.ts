import type { Mistakes } from './mistake.ts'

const csv = { 'f.csv': 'id,origin\nf1,BER\n' }

export const copying: Mistakes = {
  'an export into a folder that is not there': {
    typed: 'export flight --out exports/f.csv',
    says: ['no folder exports', 'create it, or name another'],
  },
  'an export to a folder': {
    typed: 'export flight --out exports',
    files: { 'exports/': '' },
    says: ['exports is a folder', 'give the name of a file'],
  },
  'an export below a file': {
    typed: 'export flight --out f.csv/flight.csv',
    files: csv,
    says: ['a part of its path is a file, not a folder'],
  },
  'an export to a disk without room': {
    typed: 'export flight --out /dev/full --format csv',
    refusedWith: ['no room left for /dev/full', 'free space'],
  },
  'an export to Excel': {
    typed: 'export flight --out f.xlsx',
    says: ['f.xlsx does not tell a format', 'end it in .ndjson', '.csv'],
  },
  'a compressed export': {
    typed: 'export flight --out f.csv.gz',
    says: ['does not compress', '| gzip > f.csv.gz'],
  },
  'Parquet to standard output': {
    typed: 'export flight --format parquet',
    says: ['can only be written to a file', '--out FILE'],
  },
  'too many partitions': {
    typed: 'export flight --out f.csv --partitions 100',
    says: ["'100' is invalid", 'from 1 to 64'],
  },
  'formulas outside CSV': {
    typed: 'export flight --out f.ndjson --escape-formulas',
    says: ['--escape-formulas is for CSV', 'ends in .csv'],
  },
  'an export by a property that is not searchable': {
    typed: "export flight --out f.csv --where 'note eq x'",
    refusedWith: ['add "searchable": true to the definition of note'],
  },
  'a sync to nowhere': {
    typed: 'sync flight',
    says: ['Where is the copy?', '--to copy.sqlite', 'OCTAVO_COPY_URL'],
  },
  'a sync of nothing': {
    typed: 'sync --to copy.sqlite',
    says: ["missing required argument 'TYPES'", 'API names of object types'],
  },
  'a sync into a folder that is not there': {
    typed: 'sync flight --to copies/copy.sqlite',
    says: ['no folder copies', 'create it'],
  },
  'a sync to a CSV file': {
    typed: 'sync flight --to f.csv',
    files: csv,
    refusedWith: ['f.csv is not a SQLite file', 'name another one'],
  },
  'a sync to another kind of database': {
    typed: 'sync flight --to mysql://127.0.0.1/copy',
    says: ['in a file, or in a database that is named as postgres://'],
  },
  'a sync with a password in its words': {
    typed: 'sync flight --to postgres://ada:hush@127.0.0.1/copy',
    says: ['would show a password', 'OCTAVO_COPY_URL', 'PGPASSWORD'],
  },
  'a sync to a database that does not run': {
    typed: 'sync flight --to postgres://127.0.0.1:1/copy',
    refusedWith: ['The database of the copy failed', 'check that it runs'],
  },
  'a sync of a misspelled type': {
    typed: 'sync fligth --to copy.sqlite',
    refusedWith: ['no object type fligth', 'did you mean flight?'],
  },
  'a proof of a copy that is not there': {
    typed: 'verify --to copy.sqlite',
    says: ['no file copy.sqlite', 'octavo sync TYPE --to copy.sqlite'],
  },
  'a proof of a CSV file': {
    typed: 'verify --to f.csv',
    files: csv,
    refusedWith: ['f.csv is not a SQLite file'],
  },
  'a proof of an empty file': {
    typed: 'verify --to copy.sqlite',
    files: { 'copy.sqlite': '' },
    says: ['copy.sqlite has no copy', 'octavo sync TYPE'],
  },
  'a proof of one type': {
    typed: 'verify flight --to copy.sqlite',
    says: ['too many arguments', 'octavo verify takes no arguments'],
  },
  'types into a folder that is not there': {
    typed: 'types --out src/types.ts',
    says: ['no folder src', 'create it'],
  },
  'a deletion without a key': {
    typed: 'delete flight',
    says: ["missing required argument 'KEY'", 'the primary keys of the objects'],
  },
  'a deletion without a terminal': { typed: 'delete flight f1', says: ['Nothing was deleted', 'add --yes'] },
  'a deletion by a text where keys are numbers': {
    typed: 'delete airport BER --yes',
    says: ['keys of airport are whole numbers', 'BER is none'],
  },
}

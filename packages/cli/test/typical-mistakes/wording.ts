import type { Mistakes } from './mistake.ts'

export const wording: Mistakes = {
  'a misspelled command': { typed: 'lsit flight', says: ["unknown command 'lsit'", 'Did you mean list?'] },
  'a command that does not exist': {
    typed: 'frobnicate',
    says: ["unknown command 'frobnicate'", 'The commands are serve,', 'list, search, get'],
  },
  'a command as other programs call it': {
    typed: 'import flight flights.csv',
    says: ['There is no command import', 'Did you mean: octavo load flight flights.csv'],
  },
  'start for serve': { typed: 'start', says: ['There is no command start', 'Did you mean: octavo serve'] },
  'a subcommand that does not exist': {
    typed: 'token destroy x',
    says: ["unknown command 'destroy'", 'The commands are create, list, revoke.'],
  },
  'no subcommand': { typed: 'token', says: ['Usage: octavo token', 'create an access token'] },
  'the type before the command': {
    typed: 'flight list',
    says: ['The command comes first', 'octavo list flight'],
  },
  'a misspelled option': {
    typed: 'list flight --limt 5',
    says: ["unknown option '--limt'", 'Did you mean --limit?'],
  },
  'an option in the letters of JavaScript': {
    typed: 'list flight --orderBy delay',
    says: ["unknown option '--orderBy'", 'Did you mean --order-by?'],
  },
  'an option that does not exist': {
    typed: 'list flight --sort delay',
    says: ["unknown option '--sort'", 'The options of octavo list are --where, --order-by,'],
  },
  'an option without its value': {
    typed: 'list flight --limit',
    says: ["option '--limit <NUMBER>' argument missing"],
  },
  'a word for a number': {
    typed: 'list flight --limit ten',
    says: ['--limit', "'ten' is invalid", 'a whole number of at least 1'],
  },
  'a number with a comma': {
    typed: 'list flight --limit 1,000',
    says: ["'1,000' is invalid", 'a whole number'],
  },
  'a number below the least': {
    typed: 'list flight --limit 0',
    says: ["'0' is invalid", 'a whole number of at least 1'],
  },
  'a number above the most': {
    typed: 'list flight --page-size 1000000',
    says: ["'1000000' is invalid", 'a whole number from 1 to 1000'],
  },
  'no type': {
    typed: 'list',
    says: ["missing required argument 'TYPE'", 'octavo list takes TYPE (API name of the object type)'],
  },
  'no key': { typed: 'get flight', says: ["missing required argument 'KEY'", 'KEY (its primary key)'] },
  'a property to count by': {
    typed: 'count flight origin',
    says: ['too many arguments', 'add --by PROPERTY'],
  },
  'a file to export to': {
    typed: 'export flight flights.csv',
    says: ['too many arguments', 'add --out FILE'],
  },
  'a condition without quotation marks': {
    typed: 'list flight --where origin eq BER',
    says: ['too many arguments', 'Put a value that has blanks in quotation marks'],
  },
  'apply without -f': { typed: 'apply air.yaml', says: ["required option '-f, --file <FILE...>'"] },
  'a format that is not written': {
    typed: 'export flight --format xlsx',
    says: ["'xlsx' is invalid", 'ndjson, csv, parquet'],
  },
  'a shell without completion': {
    typed: 'completion powershell',
    says: ["'powershell' is invalid", 'bash, zsh, fish'],
  },
}

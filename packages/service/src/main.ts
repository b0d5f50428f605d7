// Starts the service or migrates its database. The only file that reads the process's arguments and environment.
import process from 'node:process'
import { runMigrate, runService } from './run-service.ts'

const words = process.argv.slice(2)
const code =
  words[0] === 'migrate'
    ? await runMigrate(words.slice(1), process.env)
    : await runService(words, process.env)
process.exit(code)

// Every employee, one after another, however many there are.
import { createClient } from '@octavo/client'

const { OCTAVO_URL: url = 'http://127.0.0.1:8080', OCTAVO_TOKEN: token = '' } = process.env
const employees = createClient({ url, token }).family('example').objects('employee')

let count = 0
for await (const { title, properties } of employees.all()) {
  console.log(`${title}, ${JSON.stringify(properties['department'])}`)
  count += 1
}
console.log(`${count} employees`)

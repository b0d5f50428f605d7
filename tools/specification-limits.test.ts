import { limits } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { readSpecification } from './specification.ts'

const specification = readSpecification().replaceAll(/\s+/g, ' ')

const grouped = (value: number): string => value.toLocaleString('en')
const kib = (bytes: number): string => `${bytes / 1024} KiB`
const mib = (bytes: number): string => `${bytes / 1024 ** 2} MiB`
const gib = (bytes: number): string => `${bytes / 1024 ** 3} GiB`

const {
  agents,
  aggregate,
  page,
  walk,
  pageToken,
  snapshot,
  query,
  order,
  value,
  definition,
  request,
  replace,
  subscription,
  error,
  time,
} = limits

const sentences = [
  `the byte budget of ${mib(page.byteBudget)}`,
  `never longer than ${grouped(pageToken.characters)} characters`,
  `${pageToken.lifeSeconds / 60} minutes unless it says otherwise, after the page that carried it`,
  `, ontologies | ${grouped(page.listDefault)} | ${grouped(page.listMaximum)} |`,
  `in all revisions | ${grouped(page.objectTypesDefault)} | ${grouped(page.objectTypesMaximum)} |`,
  `of revision 2.0, \`/manage/v1\` | ${grouped(page.searchDefault)} | ${grouped(page.searchMaximum)} |`,
  `\`/manage/v1\` | ${grouped(page.manageDefault)} | ${grouped(page.manageMaximum)} |`,
  `${snapshot.retentionSeconds / 60} minutes by default`,
  `An order names at most ${order.keys} properties`,
  `with at most ${value.decimalDigits} digits`,
  `with at most ${definition.nameCharacters} characters`,
  `begins with a letter, has at most ${definition.familyCharacters} characters`,
  `is exact up to ${grouped(walk.countedMatches)}.`,
  `returns at most ${grouped(walk.listObjects)} objects over all its pages`,
  `at most ${query.depth} levels and ${query.nodes} parts`,
  `has at most ${grouped(query.inValues)} values, and all of a query together ${grouped(query.allInValues)}`,
  `at most ${grouped(query.textBytes)} bytes of UTF-8`,
  `A URL has at most ${kib(request.urlBytes)}, not counting its \`pageToken\`, so that a walk that begins can continue: with the longest token (P10) it has ${kib(request.urlBytes + pageToken.characters)}. All headers together have at most ${kib(request.headerBytes)}`,
  `An error has at most ${kib(error.bytes)}`,
  `a JSON body ${mib(request.bodyBytes)}, a batch ${gib(request.batchBytes)}`,
  `one line of a batch ${mib(request.batchLineBytes)}`,
  `Of bodies of more than ${kib(request.smallBodyBytes)}`,
  `primary key has at most ${grouped(value.primaryKeyBytes)} bytes`,
  `have at most ${grouped(value.orderedBytes)} bytes together with the primary key`,
  `sortable string property at most ${grouped(value.sortableStringBytes)}.`,
  `after ${time.scanSeconds} seconds of looking`,
  `up to ${definition.orders} composite orders`,
  `at most ${definition.properties} properties and a struct at most ${definition.structComponents} components`,
  `has at most ${definition.nameCharacters} characters and a \`description\` ${grouped(definition.textCharacters)}`,
  `by their names, at most ${definition.links}.`,
  `at most ${grouped(aggregate.groups)} groups, and their strings are at most ${mib(page.byteBudget)}`,
  `as the deployment allows, ${grouped(aggregate.objects)} unless it says otherwise`,
  `has 1 to ${aggregate.metrics} metrics and at most ${aggregate.groupings} groupings, a grouping at most ${aggregate.ranges} ranges, and a duration at most ${grouped(aggregate.durationUnits)} units`,
  `one JSON text of at most ${kib(agents.answerBytes)}. An error is a text of at most ${kib(agents.errorBytes)}`,
  `a difference of more than ${grouped(subscription.objects)} objects or ${kib(subscription.bytes)}`,
  `A connection has at most ${subscription.perConnection} subscriptions`,
  `has at most ${subscription.answerPerByte} bytes for each byte of the message, and ${kib(subscription.answerBytes)} more`,
  `A message of the client has at most ${mib(subscription.messageBytes)}`,
  `at most ${subscription.messagesPerSecond} a second; with more than ${subscription.unanswered} unanswered`,
  `at most ${grouped(subscription.connections)} connections, ${grouped(subscription.connectionsOfCaller)} of them of one caller, and ${grouped(subscription.all)} subscriptions, ${grouped(subscription.allOfCaller)} of them of one caller`,
  `together, ${mib(subscription.bytesOfCaller)} of messages may be unanswered`,
  `While ${mib(subscription.bytesOfCaller)} wait to be read`,
  `takes nothing for ${subscription.silentSeconds} seconds`,
  `lists the first ${request.batchProblems} problems`,
  `delete more than ${replace.deletedPercent} % of the objects that the type has, and more than ${replace.deletedObjects} object`,
  `of at most ${request.idempotencyKeyCharacters} characters. Within ${request.idempotencyKeyKeptSeconds / 3600} hours`,
]

it.each(sentences)('the specification says: %s', (sentence) => {
  expect(specification).toContain(sentence)
})

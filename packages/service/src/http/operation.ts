// An operation of the HTTP interface: its description, and what serves it. Its kind decides everything around that, so that no
// endpoint can forget it.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { headers, mediaTypes, type ErrorName } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { BehindSource, type AfterPosition } from '../catalog/source-positions.ts'
import type { OntologyTarget, PageTarget } from '../catalog/find-object-type.ts'
import type { Reservation } from '../guard/admit/admission.ts'
import type { Caller } from '../guard/auth/caller.ts'
import { stageTimer, type StageTimer } from '../observe/stage-timer.ts'
import { positionInBody, positionInQuery, type AskedPosition } from '../read/request/parse-after.ts'
import { refuseUnknown, type QueryParameters } from '../read/request/query-parameters.ts'
import type { ServedPage } from '../read/serve/serve-page.ts'
import type { SourcesService } from '../read/walk/position-asked-for.ts'
import type { PageService } from '../read/walk/page-service.ts'
import { abortSignalOf, eachInTime, releaseOnClose, stoppingOf } from './abort-signal.ts'
import { takeLines } from './arriving-lines.ts'
import { releaseOnceRead } from './compression/compress-answers.ts'
import { afterErrors } from './errors-of-operations.ts'
import { describedAs, type RouteDescription } from './openapi/described-as.ts'
import { tagOf } from './openapi/tags.ts'
import { pathOf, type NamesIn } from './path-parameters.ts'
import { serveAfterPosition } from './serve-after-position.ts'
import { callerOf, callerOfEachStep } from './require-right.ts'

/**
 * - `page`: limited in time. It waits for its turn itself, once it knows what to read, and holds what it reserves until it is sent.
 * - `steps`: the same for each of its steps; the answer as a whole takes as long as it needs.
 * - `read`: limited in time. It begins when its turn has come (P197).
 * - `write`: takes as long as it needs, without a turn.
 */
export type OperationKind = 'page' | 'steps' | 'read' | 'write'

/** Refuses parameters that the operation does not declare, and returns those that mean something. */
type CheckQuery = (
  query: QueryParameters,
  declared: readonly string[],
  inBody: readonly string[],
) => QueryParameters

/** Its address says the rest: its tag, its parameters, and that what they name may not exist. */
interface Description<Kind extends OperationKind> extends Omit<RouteDescription, 'tag' | 'path' | 'errors'> {
  readonly kind: Kind
  /** Besides those that every operation has, and that an ontology or an API family does not exist. */
  readonly errors?: readonly ErrorName[]
  /** Pages and steps check their parameters as they parse them. */
  readonly checkQuery?: CheckQuery
  /** The largest body, for bodies of lines. */
  readonly bodyBytes?: number
}

type TargetIn<Name extends string> = [Name & ('ontology' | 'apiFamily')] extends [never]
  ? undefined
  : 'objectType' extends Name
    ? PageTarget
    : OntologyTarget

interface Common<Name extends string> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  readonly params: { readonly [Each in Name]: string }
  readonly target: TargetIn<Name>
  readonly query: QueryParameters
  readonly body: unknown
  /** What the latest state has to contain. */
  readonly after: AfterPosition | undefined
  /** What a list needs to know of its request. */
  readonly list: {
    readonly caller: Caller
    readonly parameters: QueryParameters
    readonly query: { readonly properties: object }
    readonly endpoint: string
  }
  /** Aborts when the client has left or the time is up. */
  readonly signal: AbortSignal
}

/** What stages need to know of their request, whatever it asks for. */
interface Arrived<Target> {
  readonly requestId: string
  readonly target: Target
  /** What the latest state has to contain. */
  readonly after: AfterPosition | undefined
  readonly hold: (reservation: Reservation) => void
}

interface AroundOf<Target> {
  readonly page: {
    readonly arrived: Arrived<Target> & {
      readonly caller: Caller
      readonly signal: AbortSignal
      readonly timer: StageTimer
    }
  }
  readonly steps: {
    readonly arrived: Arrived<Target> & {
      readonly caller: () => Promise<Caller>
      readonly inTime: ReturnType<typeof eachInTime>
    }
    /** Aborts when this instance stops. */
    readonly stopping: AbortSignal
  }
  readonly read: object
  readonly write: object
}

type Incoming<Name extends string, Kind extends OperationKind> = Common<Name> & AroundOf<TargetIn<Name>>[Kind]

export interface Operation {
  readonly method: HTTPMethods
  readonly url: string
  readonly description: Omit<Description<OperationKind>, 'errors'> & RouteDescription
  /** Returns a page, a value to be sent as JSON, its bytes, the reply if it has been answered, or nothing if there is no body. */
  readonly serve: (incoming: never) => unknown
}

/** The address is a method and a path, as in `GET /manage/v1/ontologies`. */
export function operation<const Address extends string, Kind extends OperationKind>(
  address: Address,
  description: Description<Kind>,
  serve: (incoming: Incoming<NamesIn<Address>, Kind>) => unknown,
): Operation {
  const [method, url = ''] = address.split(' ')
  const isNew = description.creates !== undefined && url.endsWith('/:ontology')
  const errors = [
    ...(isNew ? [] : ontologyErrors(url)),
    ...(description.errors ?? []),
    ...(positionAsked(description) === undefined ? [] : afterErrors),
  ]
  return {
    method: method as HTTPMethods,
    url,
    description: { ...description, tag: tagOf(url), ...pathOf(url), errors },
    serve,
  }
}

function ontologyErrors(url: string): readonly ErrorName[] {
  if (url.includes('/:ontology')) return ['OntologyNotFound']
  return url.includes('/:apiFamily') ? ['ApiFamilyNotFound'] : []
}

type Turns = Pick<PageService, 'admission' | 'requestTimeoutMs'> & SourcesService

/** Each is registered by itself: bodies of lines have their own parser. */
export const operationRoutes = (
  turns: Turns,
  operations: readonly Operation[],
): readonly FastifyPluginAsyncTypebox[] =>
  operations.map(({ method, url, description, serve }) => async (app) => {
    const { kind, bodyType, bodyBytes } = description
    if (bodyType === mediaTypes.ndjson) takeLines(app)
    const positionOf = positionAsked(description)
    const stopping = kind === 'steps' || positionOf !== undefined ? stoppingOf(app) : undefined
    const check = queryCheck(description)
    app.route({
      method,
      url,
      ...describedAs(description),
      ...(bodyBytes !== undefined && { bodyLimit: bodyBytes }),
      handler: async (request, reply) => {
        const attempt = async (after?: AfterPosition) => {
          const held: Reservation[] = []
          const incoming = incomingOf(turns, { request, reply, check, after, held }, description)
          const turn = kind === 'read' ? await takeTurn(turns, incoming) : undefined
          try {
            const served = await serve({ ...incoming, stopping } as never)
            return answer(reply, { turn, timer: incoming.arrived.timer }, served)
          } catch (error) {
            // It may wait now, and a request that waits holds nothing.
            if (error instanceof BehindSource) for (const { release } of held) release()
            throw error
          }
        }
        const asked = positionOf?.(request)
        if (asked === undefined) return attempt()
        const target = targetOf(request.params as Readonly<Record<string, string>>) as OntologyTarget
        return serveAfterPosition(turns, { request, reply, target, asked, stopping }, attempt)
      },
    })
  })

/** Undefined if the operation cannot be asked for a position of a source. */
function positionAsked({
  query,
  body,
}: Pick<RouteDescription, 'query' | 'body'>):
  ((request: FastifyRequest) => AskedPosition | undefined) | undefined {
  const declares = (schema: unknown) =>
    'afterSource' in ((schema as { readonly properties?: object } | undefined)?.properties ?? {})
  if (declares(query)) return (request) => positionInQuery(request.query as QueryParameters)
  return declares(body) ? (request) => positionInBody(request.body) : undefined
}

interface Arriving {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly check: (query: QueryParameters) => QueryParameters
  readonly after: AfterPosition | undefined
  /** What is reserved for the answer. */
  readonly held: Reservation[]
}

function incomingOf(
  { requestTimeoutMs }: Turns,
  { request, reply, check, after, held }: Arriving,
  { kind, operationId, query: declared }: Operation['description'],
) {
  const caller = callerOf(request)
  const query = check(request.query as QueryParameters)
  const isInTime = kind === 'page' || kind === 'read'
  const signal = abortSignalOf(reply, isInTime ? requestTimeoutMs : undefined)
  const params = request.params as Readonly<Record<string, string>>
  const target = targetOf(params)
  const hold = (reservation: Reservation) => {
    held.push(reservation)
    releaseOnClose(reply, signal, reservation.release)
  }
  const arrived = {
    requestId: request.id,
    target,
    after,
    hold,
    signal,
    timer: stageTimer(),
    ...(kind === 'steps'
      ? { caller: callerOfEachStep(request), inTime: eachInTime(reply, requestTimeoutMs) }
      : { caller }),
  }
  const list = { caller, parameters: query, query: declared, endpoint: operationId }
  return {
    request,
    reply,
    caller,
    params,
    target,
    query,
    body: request.body,
    after,
    list,
    signal,
    hold,
    arrived,
  }
}

function queryCheck({
  kind,
  query,
  body,
  checkQuery = refuseUndeclared,
}: Operation['description']): Arriving['check'] {
  if (kind === 'page' || kind === 'steps') return (sent) => sent
  const namesIn = (schema: unknown) => Object.keys((schema as typeof query)?.properties ?? {})
  const [declared, inBody] = [namesIn(query), namesIn(body)]
  return (sent) => checkQuery(sent, declared, inBody)
}

const refuseUndeclared: CheckQuery = (query, declared, inBody) => {
  refuseUnknown(Object.keys(query), declared, { inBody })
  return query
}

const targetOf = ({ ontology, apiFamily = '', objectType }: Readonly<Record<string, string>>) => ({
  ...(ontology === undefined ? { kind: 'family', apiFamily } : { kind: 'ontology', ontology }),
  objectType,
})

async function takeTurn(
  { admission }: Turns,
  { caller, signal, hold }: Pick<ReturnType<typeof incomingOf>, 'caller' | 'signal' | 'hold'>,
): Promise<Reservation> {
  const turn = await admission.reserve(caller.subject, signal)
  hold(turn)
  return turn
}

interface Around {
  readonly turn: Reservation | undefined
  readonly timer: StageTimer
}

function answer(reply: FastifyReply, { turn, timer }: Around, served: unknown): FastifyReply {
  if (served === reply) return reply
  if (served === undefined) return reply.code(204).send()
  reply.header(headers.contentType, `${mediaTypes.json}; charset=utf-8`)
  if (isPage(served)) {
    // Not earlier: until then the body is being sent from this memory, or compressed. If the response is closed already, the event
    // never comes, and the memory is left to the garbage collector.
    releaseOnceRead(reply.raw, served.sent)
    return reply.header(headers.serverTiming, timer.header()).send(served.body)
  }
  const body = Buffer.isBuffer(served) || typeof served === 'string' ? served : JSON.stringify(served)
  turn?.keep(Buffer.byteLength(body))
  return reply.send(body)
}

const isPage = (served: unknown): served is ServedPage =>
  typeof served === 'object' && served !== null && 'sent' in served && 'body' in served

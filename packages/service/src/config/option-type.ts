import { answerCodings, type AnswerCoding } from '@octavo/protocol'
import { serverUrls } from './server-urls.ts'

/** The type of an option's value: a description in words, and a parser that returns undefined for text that does not fit. */
export type OptionType<Value> = {
  /** Completes the sentence "must be ...". */
  readonly takes: string
  readonly parse: (text: string) => Value | undefined
}

export const hostName: OptionType<string> = {
  takes: 'an IP address or a host name',
  parse: (text) => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined),
}

export const wholeNumber = (least: number, most: number): OptionType<number> => ({
  takes: `a whole number from ${least} to ${most}`,
  parse: (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  },
})

export const wholeNumberOrOff = (least: number, most: number): OptionType<number | 'off'> => {
  const { takes, parse } = wholeNumber(least, most)
  return { takes: `${takes}, or off`, parse: (text) => (text === 'off' ? text : parse(text)) }
}

export const oneOf = <const Choice extends string>(choices: readonly Choice[]): OptionType<Choice> => ({
  takes: `one of ${choices.join(', ')}`,
  parse: (text) => choices.find((choice) => choice === text),
})

export const plainText: OptionType<string> = {
  takes: 'text without spaces',
  parse: (text) => (/^[\x21-\x7e]*$/.test(text) ? text : undefined),
}

/**
 * What is fetched from this URL decides who gets access, so nobody must be able to intercept it; on the local machine nobody
 * can.
 */
export const issuerUrl: OptionType<string> = {
  takes: 'an https URL without a query (http on this machine only), such as https://login.example.com',
  parse: (text) => {
    if (text === '') return text
    return !/[?#\s]/.test(text) && isSafeUrl(text) ? text : undefined
  },
}

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

/** Codes of people who sign in are sent to these, so each is one whole address: no pattern, and nothing that hides its host. */
export const redirectUris: OptionType<readonly string[]> = {
  takes:
    'a comma-separated list of whole https URLs without a fragment (http on this machine only), such as https://app.example.com/auth/callback',
  parse: (text) => {
    const list = text === '' ? [] : text.split(',')
    return list.every((each) => /^[^\s@#*\\]+$/.test(each) && isSafeUrl(each)) ? list : undefined
  },
}

export const collectorUrl: OptionType<string> = {
  takes: 'the http or https URL of an OTLP/HTTP receiver, without /v1/traces, such as http://localhost:4318',
  parse: (text) => (text === '' || isPlainUrl(text) ? text : undefined),
}

const isPlainUrl = (text: string): boolean =>
  /^https?:\/\/[^@?#\s]+$/.test(text) && URL.canParse(text) && !text.endsWith('/v1/traces')

export const filePath: OptionType<string> = {
  takes: 'the path of a file',
  parse: (text) => (text.includes('\0') ? undefined : text),
}

export const postgresUrl: OptionType<string> = {
  takes: 'the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name',
  parse: (text) => (isPostgresUrl(text) ? text : undefined),
}

const isPostgresUrl = (text: string): boolean =>
  /^postgres(ql)?:\/\//.test(text) && serverUrls(text).every((url) => URL.canParse(url))

/** Each URL is one server, so that each may have its own parameters. */
export const postgresUrls: OptionType<readonly string[]> = {
  takes: 'a comma-separated list of URLs of PostgreSQL databases',
  parse: (text) => {
    const list = text === '' ? [] : text.split(',')
    return list.every(isPostgresUrl) ? list : undefined
  },
}

export const origins: OptionType<readonly string[]> = {
  takes:
    'a comma-separated list of web origins, such as https://app.example.com,http://localhost:5173; loopback stands for every origin of this machine',
  parse: (text) => {
    const list = text === '' ? [] : text.split(',')
    return list.every((each) => each === 'loopback' || isOrigin(each)) ? list : undefined
  },
}

export const scopeNames: OptionType<readonly string[]> = {
  takes: 'a comma-separated list of scopes',
  parse: (text) => {
    const list = text === '' ? [] : text.split(',')
    return list.every((each) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(each)) ? list : undefined
  },
}

export const codings: OptionType<readonly AnswerCoding[]> = {
  takes: `a comma-separated list of ${answerCodings.join(', ')}, or none`,
  parse: (text) => {
    if (text === 'none') return []
    const list = text.split(',').map((name) => answerCodings.find((coding) => coding === name))
    return list.includes(undefined) ? undefined : list.filter((coding) => coding !== undefined)
  },
}

const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text

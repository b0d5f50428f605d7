// What people type on first contact, and whether the answer alone gets them further.
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { connecting } from '../../test/typical-mistakes/connecting.ts'
import { copying } from '../../test/typical-mistakes/copying.ts'
import { running } from '../../test/typical-mistakes/running.ts'
import { signingIn } from '../../test/typical-mistakes/signing-in.ts'
import { declaring } from '../../test/typical-mistakes/declaring.ts'
import { loading } from '../../test/typical-mistakes/loading.ts'
import { reading } from '../../test/typical-mistakes/reading.ts'
import { wording } from '../../test/typical-mistakes/wording.ts'
import { mistakePlace } from '../../test/support/mistake-place.ts'

const place = forAllTests(mistakePlace)

/** What is of no use to a user: a command that gives up, its insides, and what only a program sends. */
const useless = /cannot say why|\bundefined\b|\[object|^\s+at |Conjure:|\bbody\b|"\/\w/m

describe.each([
  ['connecting', connecting],
  ['words', wording],
  ['reading', reading],
  ['declaring', declaring],
  ['loading', loading],
  ['copying', copying],
  ['signing in', signingIn],
  ['running', running],
])('%s', (_, mistakes) => {
  it.each(Object.entries(mistakes))('%s', async (_, mistake) => {
    const { code, err } = await place.run(mistake)
    for (const words of mistake.says ?? mistake.refusedWith) expect(err).toContain(words)
    expect(err).not.toMatch(useless)
    expect(code, err).toBe(mistake.exitCode ?? (mistake.says ? 2 : 1))
  })
})

import { expect, it } from 'vitest'
import { formatTable } from './format-table.ts'
import { makeStyle } from './style.ts'
import { fitText, oneLine, textWidth } from './text-width.ts'

const plain = makeStyle({ colour: false })

it('aligns, cuts the widest columns and keeps the width', () => {
  const table = formatTable(
    {
      columns: [
        { title: 'ID', whole: true },
        { title: 'COUNT', align: 'right' },
        { title: 'TEXT' },
        { title: 'NOTE' },
      ],
      rows: [
        ['0123456789', '7', 'a text that is much too long for a table', 'short'],
        ['x', '1,234', 'small', 'another text that is also too long'],
      ],
    },
    { width: 48, style: plain },
  )
  expect(table).toMatchInlineSnapshot(`
    "ID          COUNT  TEXT           NOTE
    0123456789      7  a text that …  short
    x           1,234  small          another text …
    "
  `)
  for (const line of table.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(48)
})

it('counts places as a terminal does', () => {
  expect(textWidth('Novák')).toBe(5)
  expect(textWidth('Nova\u0301k')).toBe(5)
  expect(textWidth('東京')).toBe(4)
  expect(textWidth('👩‍🚀')).toBe(2)
  expect(fitText('東京都庁', 5)).toBe('東京…')
  expect(fitText('Aiko Tanaka', 11)).toBe('Aiko Tanaka')
  expect(fitText('Aiko Tanaka', 6)).toBe('Aiko …')
})

it('a value cannot make the terminal do anything', () => {
  expect(oneLine('a\nb\t c\u001B[31m\u202Ed')).toBe('a b c�[31m�d')
})

it('paints only when colours are on', () => {
  expect(makeStyle({ colour: true }).strong('x')).toBe('\u001B[1mx\u001B[22m')
  expect(plain.strong('x')).toBe('x')
})

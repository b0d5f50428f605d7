import type { CommandContext } from '../base/command-context.ts'
import { typeText } from '../definitions/type-text.ts'
import { formatTable } from '../output/format-table.ts'
import { amountText } from '../output/numbers.ts'
import { oneLine } from '../output/text-width.ts'
import { linksTable } from './links-table.ts'
import type { DescribedProperty, DescribedType } from './described-type.ts'

export function descriptionText(type: DescribedType, { output }: CommandContext): string {
  const { apiName, ontology, displayName, description, objectCount, version } = type
  const name = displayName === undefined || displayName === apiName ? '' : ` (${oneLine(displayName)})`
  const at = version === undefined ? '' : `, version ${version}`
  const head = `${output.style.strong(apiName)}${name} in ${ontology}: ${amountText(objectCount, 'object')}${at}\n`
  return [
    head,
    description === undefined || description === '' ? '' : `${oneLine(description)}\n`,
    `\n${propertyTable(type, { width: output.columns(), style: output.style })}`,
    Object.keys(type.links).length === 0
      ? ''
      : `\n${linksTable(type.links, { width: output.columns(), style: output.style })}`,
    ordersText(type),
    type.preparing.length === 0
      ? ''
      : `\nStill being prepared, and until then refused in filters and orders: ${type.preparing.join(', ')}.\n`,
  ].join('')
}

function propertyTable(type: DescribedType, look: Parameters<typeof formatTable>[1]): string {
  const hasTexts = Object.values(type.properties).some(({ description }) => description !== undefined)
  const columns = [
    { title: 'PROPERTY', whole: true },
    { title: 'TYPE' },
    { title: 'FILTER' },
    { title: 'ORDER' },
    { title: 'NOTES' },
    ...(hasTexts ? [{ title: 'DESCRIPTION' }] : []),
  ] as const
  const rows = Object.entries(type.properties).map(([name, property]) => [
    name,
    typeText(property.type),
    yesOrNo(property.searchable),
    yesOrNo(property.sortable),
    notesOf(name, property, type),
    property.description ?? '',
  ])
  return formatTable({ columns, rows }, look)
}

const yesOrNo = (value: boolean | undefined): string => (value === undefined ? '?' : value ? 'yes' : '-')

function notesOf(
  name: string,
  { required }: DescribedProperty,
  { primaryKey, titleProperty }: DescribedType,
): string {
  const isKey = name === primaryKey
  const notes = [isKey && 'key', name === titleProperty && 'title', required && !isKey && 'required']
  return notes.filter((note) => typeof note === 'string').join(', ')
}

function ordersText({ orders }: DescribedType): string {
  if (orders.length === 0) return ''
  const lines = orders.map(
    ({ fields }) =>
      `  --order-by ${fields.map(({ field, direction }) => `${field}:${direction}`).join(',')}\n`,
  )
  return `\nOrders by several properties:\n${lines.join('')}`
}

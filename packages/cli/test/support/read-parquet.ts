// A Parquet file as the objects that it was made from, read by another library than wrote it.
import { parquetMetadata, parquetReadObjects, type FileMetaData, type ParquetParsers } from 'hyparquet'
import type { PropertyType, ScalarType, StructType } from '@octavo/protocol'

// Those of the library make a Date of a time, which loses digits, and lose a byte order mark at the beginning of a text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const parsers: Partial<ParquetParsers> = {
  timestampFromMicroseconds: (micros) => micros,
  dateFromDays: (days) => days,
  stringFromBytes: (bytes) => decoder.decode(bytes),
}

type Read = Readonly<Record<string, unknown>>

export async function readParquet(
  bytes: Uint8Array,
  properties: ReadonlyMap<string, PropertyType>,
): Promise<{ readonly objects: readonly Read[]; readonly metadata: FileMetaData }> {
  const file = new Uint8Array(bytes).buffer
  const rows = await parquetReadObjects({ file, parsers })
  return { objects: rows.map((row) => objectOf(row, properties)), metadata: parquetMetadata(file) }
}

const objectOf = (row: Read, properties: ReadonlyMap<string, PropertyType>): Read =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      const type = properties.get(name)
      if (type === undefined) throw new Error(`the file has the column ${name}`)
      return value === null || value === undefined ? [] : [[name, receivedValue(value, type)]]
    }),
  )

function receivedValue(value: unknown, type: PropertyType): unknown {
  if (typeof type === 'string') return receivedScalar(value, type)
  if ('struct' in type) return objectOf(value as Read, componentsOf(type))
  return (value as readonly unknown[]).map((item) => receivedValue(item, type.array))
}

const componentsOf = ({ struct }: StructType) =>
  new Map(Object.entries(struct).map(([name, { type }]) => [name, type]))

function receivedScalar(value: unknown, type: ScalarType): unknown {
  if (type === 'long') return String(value)
  if (type === 'date') return new Date((value as number) * 86_400_000).toISOString().slice(0, 10)
  return type === 'timestamp' ? timeOf(value as bigint) : value
}

function timeOf(micros: bigint): string {
  const inSecond = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - inSecond) / 1_000n)).toISOString().slice(0, 19)
  const fraction = String(inSecond).padStart(6, '0').replace(/0+$/, '')
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`
}

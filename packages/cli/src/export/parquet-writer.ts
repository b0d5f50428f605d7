// Objects as a Parquet file. Its row groups are written as objects come, so that memory holds one of them, and at the end what
// readers need to find them.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { PropertyType } from '@octavo/protocol'
import { CliError } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'
import type { TypeFacts } from '../reading/type-facts.ts'
import type { ExportTarget } from './export-target.ts'
import { requireColumns, type Properties } from './object-line.ts'
import type { ObjectWriter } from './object-writer.ts'
import { isWrittenPlain, parquetSchema } from './parquet-columns.ts'
import { parquetValue, UnfitValue } from './parquet-value.ts'

export interface RowGroupSize {
  readonly objects: number
  /** About. */
  readonly bytes: number
}

/** Large enough to be read quickly, small enough for the memory of any machine. Writers that work side by side share it. */
export const rowGroupSize = (writers: number): RowGroupSize => ({
  objects: 50_000,
  bytes: Math.max(1_000_000, 16_000_000 / writers),
})

type Facts = Pick<TypeFacts, 'apiName' | 'primaryKey' | 'properties'>

export function parquetWriter(facts: Facts, target: ExportTarget, size: RowGroupSize): ObjectWriter {
  const made = new ByteWriter()
  const writer = new ParquetWriter({ writer: made, schema: parquetSchema(facts), createdBy: 'octavo' })
  let group = newGroup(facts)
  const flush = async (): Promise<void> => {
    await target.write(made.getBytes())
    // `offset` is not reset: it counts the bytes of the file.
    made.index = 0
  }
  const writeGroup = async (): Promise<void> => {
    const { columns, objects } = group
    if (objects === 0) return
    const columnData = columns.map(({ name, type, data }) => ({
      name,
      data,
      ...(isWrittenPlain(type) && { encoding: 'PLAIN' as const }),
    }))
    await writer.write({ columnData, rowGroupSize: objects })
    group = newGroup(facts)
    await flush()
  }
  return {
    begin: async () => {},
    write: async (objects) => {
      for (const { properties } of objects) {
        addObject(group, facts, properties)
        if (group.objects >= size.objects || group.bytes >= size.bytes) await writeGroup()
      }
    },
    end: async () => {
      await writeGroup()
      await writer.finish()
      await flush()
    },
  }
}

interface Column {
  readonly name: string
  readonly type: PropertyType
  readonly data: unknown[]
}

interface RowGroup {
  readonly columns: readonly Column[]
  objects: number
  bytes: number
}

const newGroup = ({ properties }: Facts): RowGroup => ({
  columns: [...properties].map(([name, type]) => ({ name, type, data: [] })),
  objects: 0,
  bytes: 0,
})

function addObject(group: RowGroup, facts: Facts, properties: Properties): void {
  requireColumns(properties, facts)
  for (const { name, type, data } of group.columns) {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined
    const { value: written, bytes } =
      value === undefined || value === null
        ? { value: null, bytes: 1 }
        : fitting(value, type, { facts, properties, name })
    data.push(written)
    group.bytes += bytes
  }
  group.objects += 1
}

interface WrittenProperty {
  readonly facts: Facts
  readonly properties: Properties
  readonly name: string
}

function fitting(value: unknown, type: PropertyType, { facts, properties, name }: WrittenProperty) {
  try {
    return parquetValue(value, type)
  } catch (error) {
    if (!(error instanceof UnfitValue)) throw error
    throw new CliError(
      `The property ${name} of ${facts.apiName} ${String(properties[facts.primaryKey])} cannot be written to Parquet as ${typeof type === 'string' ? `a ${type}` : JSON.stringify(type)}: it is ${JSON.stringify(value)}. Export with --format ndjson, which keeps every value as it came.`,
      exitCodes.failed,
      { cause: error },
    )
  }
}

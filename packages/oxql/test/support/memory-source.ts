import {
  type FieldType,
  type FieldValue,
  meetsAll,
  type Selection,
  type Series,
  type SeriesSource,
  type TimeseriesSchema,
  TooManyPoints,
} from '../../src/index.ts'

type Kind = Pick<TimeseriesSchema, 'datumType'> & { fields: Record<string, FieldType> }

export function schemaOf(name: string, { datumType, fields }: Kind): TimeseriesSchema {
  return {
    name,
    description: { target: '', metric: '' },
    fields: Object.entries(fields).map(([field, fieldType]) => ({
      name: field,
      fieldType,
      source: 'target' as const,
      description: '',
    })),
    datumType,
    units: 'count',
    authzScope: 'project',
  }
}

export interface World {
  schema: TimeseriesSchema
  series: Series[]
}

export interface MemorySource extends SeriesSource {
  /** Requested selections. */
  readonly asked: { selection: Selection; maxPoints: number }[]
}

/** Series in memory, for any number of schemas. */
export function memorySource(...worlds: World[]): MemorySource {
  const asked: MemorySource['asked'] = []
  return {
    asked,
    schema: (name) => worlds.find(({ schema }) => schema.name === name)?.schema,
    read: (selection, maxPoints) => {
      asked.push({ selection, maxPoints })
      const { series } = worlds.find(({ schema }) => schema.name === selection.name)!
      const { from = -Infinity, to = Infinity } = selection
      const matches = meetsAll(selection.where)
      const found: Series[] = []
      let points = 0
      for (const one of series) {
        if (!matches(one.fields)) continue
        const indexes = [...one.timestamps.keys()].filter(
          (at) => one.timestamps[at]! >= from && one.timestamps[at]! < to,
        )
        if (indexes.length === 0) continue
        points += indexes.length
        if (points > maxPoints) return Promise.reject(new TooManyPoints())
        found.push({
          fields: one.fields,
          timestamps: indexes.map((at) => one.timestamps[at]!),
          startTimes: one.startTimes && indexes.map((at) => one.startTimes![at]!),
          values: indexes.map((at) => one.values[at]!),
        })
      }
      return Promise.resolve(found)
    },
  }
}

type Point = [timestamp: number, value: Series['values'][number], startTime?: number]

export function seriesOf(fields: Record<string, FieldValue>, points: readonly Point[]): Series {
  const cumulative = points.some(([, , startTime]) => startTime !== undefined)
  return {
    fields,
    timestamps: points.map(([timestamp]) => timestamp),
    startTimes: cumulative ? points.map(([, , startTime]) => startTime!) : undefined,
    values: points.map(([, value]) => value),
  }
}

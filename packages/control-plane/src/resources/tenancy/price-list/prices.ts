import type { Wire } from '@steading/api'
import type { UsageMetric } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { readSetting, writeSetting } from '../../../kernel/db/setting.ts'

const KEY = 'price_list'

const stored = jsonColumn<Wire.PriceList>()

const EMPTY: Wire.PriceList = {
  currency: null,
  shown_to_silos: false,
  versions: [],
  time_modified: null,
}

/** The prices of the fleet, the latest version first. */
export async function readPriceList(db: Db): Promise<Wire.PriceList> {
  const text = await readSetting(db, KEY)
  return text === undefined ? EMPTY : stored.read(text)
}

export const writePriceList = (db: Db, list: Wire.PriceList): Promise<void> =>
  writeSetting(db, KEY, stored.write(list))

export interface Prices {
  currency: string
  /** The earliest first; each is valid until the next one begins. Milliseconds since 1970. */
  versions: readonly { start: number; prices: Partial<Record<UsageMetric, string>> }[]
  /** The prices at a moment; undefined before the first version. */
  validAt: (ms: number) => Partial<Record<UsageMetric, string>> | undefined
}

/** @returns undefined without prices */
export function pricesOf({ currency, versions }: Wire.PriceList): Prices | undefined {
  if (currency === null || versions.length === 0) return undefined
  const inTime = versions
    .map(({ valid_from, prices }) => ({ start: Date.parse(`${valid_from}T00:00:00Z`), prices }))
    .toSorted((a, b) => a.start - b.start)
  return {
    currency,
    versions: inTime,
    validAt: (ms) => inTime.findLast(({ start }) => start <= ms)?.prices,
  }
}

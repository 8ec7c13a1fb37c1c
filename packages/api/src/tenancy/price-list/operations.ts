import { boolean, dateTime, named, object, record, ruledArray, text } from '../../schema.ts'
import { usageMetrics } from '../usage/rules.ts'
import { Day } from '../usage/schemas.ts'
import { isCurrency, parsePrice, PRICE_VERSIONS_MAX, priceMessages } from './rules.ts'
import { usual } from '../../kinds/usual.ts'

/** Price of an hour of a unit, in the currency of the list. */
const Price = named(
  'Price',
  text(14, { pattern: '^[0-9]{1,7}(\\.[0-9]{1,6})?$' }, (value) =>
    parsePrice(value) === undefined ? priceMessages.price : undefined,
  ),
)
/** ISO 4217. */
const Currency = named(
  'Currency',
  text(3, { pattern: '^[A-Z]{3}$' }, (value) =>
    isCurrency(value) ? undefined : priceMessages.currency,
  ),
)

/** Prices by metric; an absent one costs nothing. */
const UsagePrices = named(
  'UsagePrices',
  object(Object.fromEntries(usageMetrics.map((metric) => [metric, Price.optional()]))),
)

/** Prices that are valid until a later version is. */
const PriceVersion = record('PriceVersion', {
  /** They are valid from the start of this day, UTC. */
  valid_from: Day,
  prices: UsagePrices,
})

const fields = {
  /** Null without a price list. */
  currency: Currency.nullable(),
  /** Whether users of silos see the costs of their use. */
  shown_to_silos: boolean,
  /** Reports of a day use the prices of that day, so past versions stay in the list. */
  versions: ruledArray(PriceVersion, PRICE_VERSIONS_MAX),
}
/** Prices of the fleet, the latest version first. */
const PriceList = record('PriceList', {
  ...fields,
  /** Null before the first change. */
  time_modified: dateTime.nullable(),
})
/** The prices of today, as far as the caller sees costs. */
const CurrentPrices = record('CurrentPrices', {
  /** Null without prices, and for users of silos who do not see costs. */
  currency: Currency.nullable(),
  prices: UsagePrices,
})
const PriceListUpdate = record('PriceListUpdate', fields)

export const priceListOperations = {
  ...usual('fleet', {
    item: PriceList,
    id: 'price_list',
    path: '/x/v1/system/price-list',
  })({
    price_list_view: { summary: 'Show the prices of use, with their past and future versions' },
    price_list_update: {
      summary: 'Replace the prices of use',
      audited: { kind: 'fleet' },
      body: PriceListUpdate,
      versioned: 'price_list',
      changes: ['system_usage_view', 'usage_view', 'current_prices_view'],
    },
  }),
  ...usual('fleet', { item: CurrentPrices, id: 'current_prices', path: '/x/v1/prices' })({
    current_prices_view: {
      summary: 'Show the prices of today',
      permission: 'session',
      evenIfLimited: true,
    },
  }),
}

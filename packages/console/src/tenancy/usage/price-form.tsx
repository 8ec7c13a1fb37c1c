import type { PriceList } from '@steading/api/client'
import {
  isCurrency,
  isDay,
  parsePrice,
  priceMessages,
  type UsageMetric,
  usageMessages,
  usageMetrics,
  usageMetricTable,
} from '@steading/api/rules'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { Banner } from '../../ui/banner.tsx'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { priceListQuery, priceNames } from './labels.ts'
import { ReasonField } from '../../forms/reason-field.tsx'

type Values = Record<UsageMetric, string> & {
  currency: string
  shownToSilos: boolean
  validFrom: string
}

/** The first day of the next month, UTC. */
function nextMonth(): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString().slice(0, 10)
}

const pricesOf = (values: Values): PriceList['versions'][number]['prices'] =>
  Object.fromEntries(
    usageMetrics.flatMap((metric) => {
      const price = values[metric].trim()
      return price === '' ? [] : [[priceNames[metric], price]]
    }),
  )

const labelOf = (metric: UsageMetric) => usageMetricTable[metric].label

type Props = {
  /** The day from which the edited prices are valid; null for new ones. */
  day: string | null
  onDismiss: () => void
}

/** Prices that are valid from a day on; new ones begin as a copy of the latest. */
export function PriceForm({ day, onDismiss }: Props) {
  const { form, opened, ...update } = useEditForm('priceListUpdate', {
    resource: 'price list',
    read: priceListQuery,
    valuesOf: ({ currency, shownToSilos, versions }: PriceList): Values => {
      const version = versions.find(({ validFrom }) => validFrom === day) ?? versions[0]
      const prices = Object.fromEntries(
        usageMetrics.map((metric) => [metric, version?.prices[priceNames[metric]] ?? '']),
      ) as Record<UsageMetric, string>
      return {
        ...prices,
        currency: currency ?? '',
        shownToSilos,
        validFrom: day ?? nextMonth(),
      }
    },
    fields: {
      ...(Object.fromEntries(usageMetrics.map((metric) => [metric, labelOf(metric)])) as Record<
        UsageMetric,
        string
      >),
      currency: 'Currency',
      shownToSilos: 'Shown to users of silos',
      validFrom: 'Valid from',
    },
    argsOf: (values: Values, { versions }: PriceList) => ({
      body: {
        currency: values.currency.trim(),
        shownToSilos: values.shownToSilos,
        versions: [
          ...versions.filter(({ validFrom }) => validFrom !== day),
          { validFrom: values.validFrom.trim(), prices: pricesOf(values) },
        ],
      },
    }),
    onSuccess: () => {
      addToast('Prices updated')
      onDismiss()
    },
  })
  const { control } = form
  const others = opened.versions.flatMap(({ validFrom }) => (validFrom === day ? [] : [validFrom]))
  const validFrom = useWatch({ control, name: 'validFrom' })
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const isPast = isDay(validFrom.trim()) && validFrom.trim() < today
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title={day === null ? 'New prices' : 'Edit prices'}
      submitLabel={day === null ? 'Add prices' : 'Update prices'}
      {...update}
      onDismiss={onDismiss}
    >
      <TextField
        name="validFrom"
        label="Valid from"
        description="Day, UTC, such as 2026-12-01. Prices are valid until later ones are."
        control={control}
        required
        mono
        validate={(text) => {
          const wanted = text.trim()
          if (!isDay(wanted)) return usageMessages.day
          return others.includes(wanted) ? priceMessages.twice(wanted) : undefined
        }}
      />
      {isPast && <Banner>Reports of past days change, because their prices do.</Banner>}
      <TextField
        name="currency"
        label="Currency"
        description="Code of ISO 4217, such as EUR; the same for all prices"
        control={control}
        required
        mono
        transform={(text) => text.toUpperCase()}
        validate={(text) => (isCurrency(text.trim()) ? undefined : priceMessages.currency)}
      />
      <CheckboxField name="shownToSilos" control={control}>
        Users of silos see the costs of their use
      </CheckboxField>
      {usageMetrics.map((metric) => (
        <TextField
          key={metric}
          name={metric}
          label={labelOf(metric)}
          description={`Per ${usageMetricTable[metric].unit}; empty costs nothing`}
          control={control}
          mono
          validate={(text) =>
            text.trim() === '' || parsePrice(text.trim()) !== undefined
              ? undefined
              : priceMessages.price
          }
        />
      ))}
      <ReasonField operation="priceListUpdate" />
    </SideModalForm>
  )
}
